import { availableParallelism } from 'node:os';
import { serialize } from 'node:v8';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { ToolError } from '../../kit/index.ts';
import { type CalculationAnswer, CalculationStopped } from './calculation.ts';
import { type CalculationInput, type CalculationName, isStepped, type SteppedName } from './calculation-table.ts';
import {
  type CalculationReply,
  type CalculationTask,
  type CalculationWork,
  type ProgressMessage,
  WORD,
} from './calculation-task.ts';
import { createPlaces, type PlaceKind, shuttingDown, tooMany } from './places.ts';
import { createTimeLimit } from './time-limit.ts';

/**
 * Calculations in worker threads, so that the event loop stays free for every other call.
 * Guarantees: a calculation whose signal fires is given up at once and stopped: at its next checkpoint, or with its thread when it does not
 * reach one in time, and the pool goes on with a fresh thread; what the calculation refuses arrives as the ToolError it threw; the number of
 * threads, the calculations that wait and the memory of a thread are bounded. Calculations of many steps take turns in slices and leave one
 * thread to the single ones; one that will not be done before its deadline answers with the steps it has; no step that was handed in is
 * computed again.
 * Leaves to others: how long a call may take (the gates' deadline), and who may call how often: turns are by calculation, not by caller.
 */
export interface Calculations {
  run<Name extends CalculationName>(
    name: Name,
    input: CalculationInput<Name>,
    control: {
      readonly signal: AbortSignal;
      /** When `signal` fires at the latest [ms, as performance.now()]. Calculations of many steps hand in what they have before. */
      readonly deadline?: number;
      readonly progress?: Progress;
    },
  ): Promise<CalculationAnswer>;
  /** Threads now running. */
  readonly threads: number;
  /** Stops every thread. Calculations that run are given up. */
  close(): Promise<void>;
}

declare module '../../kit/context.ts' {
  interface Resources {
    readonly calculations: Calculations;
  }
}

type Progress = (done: number, total?: number, message?: string) => void;

export interface CalculationSettings {
  readonly threads?: number;
  /** Single calculations that may wait for a thread. */
  readonly queue?: number;
  /** Calculations of many steps that may be under way at a time: their outcomes are kept in memory. */
  readonly long?: number;
  /** How long one of them computes before the next has its turn [ms]. */
  readonly sliceMs?: number;
  /** How long before its deadline it hands in what it has [ms]; at most a quarter of the time it was given. */
  readonly marginMs?: number;
  /** How long a calculation that nobody waits for may take to reach a checkpoint before its thread is ended [ms]. */
  readonly graceMs?: number;
}

/** At least two threads, so that one long calculation never holds up all the others. */
const THREADS = Math.max(2, Math.min(8, availableParallelism()));
const QUEUE = 256;
const LONG = 32;
const SLICE_MS = 250;
const MARGIN_MS = 10_000;
/** A new thread costs about a second of compiling; nearly every calculation ends sooner by itself, so hang-ups do not churn threads. */
const GRACE_MS = 1_000;
const IDLE_MS = 5 * 60_000;
const MEMORY_MB = 512;

export function createCalculations(settings: CalculationSettings = {}): Calculations {
  const { threads = THREADS, queue = QUEUE, long = LONG, graceMs = GRACE_MS } = settings;
  const { sliceMs = SLICE_MS, marginMs = MARGIN_MS } = settings;
  let pool: Piscina<CalculationTask, CalculationReply> | undefined;
  const places = createPlaces(threads, queue);
  // Threads start with the first calculation that needs one: a gateway without engineering calls has none.
  const open = () => {
    pool ??= new Piscina({
      filename: new URL('./worker.ts', import.meta.url).href,
      // Threads do not inherit hooks that were registered from code, so the TypeScript loader is named.
      execArgv: ['--import', import.meta.resolve('tsx')],
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      recordTiming: false,
    });
    return pool;
  };

  /** One task in a thread. `enter` ends its waiting for a place, `leave` the task itself; `handIn` asks it for what it has. */
  async function inThread(
    kind: PlaceKind,
    work: CalculationWork,
    signals: { enter: AbortSignal; leave: AbortSignal; handIn?: AbortSignal | undefined },
    progress: Progress | undefined,
  ): Promise<CalculationReply> {
    await places.enter(kind, signals.enter);
    const word = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const kill = new AbortController();
    const channel = progress === undefined ? undefined : new MessageChannel();
    let over = false;
    channel?.port2.on('message', ({ done, total, message }: ProgressMessage) => {
      if (!over) progress?.(done, total, message);
    });
    const running = open().run(
      { ...work, word, port: channel?.port1 },
      { signal: kill.signal, ...(channel === undefined ? {} : { transferList: [channel.port1] }) },
    );

    let grace: NodeJS.Timeout | undefined;
    const givenUp = new Promise<never>((_resolve, reject) => {
      const giveUp = () => {
        Atomics.store(word, 0, WORD.STOP);
        grace = setTimeout(() => kill.abort(), graceMs);
        reject(signals.leave.reason);
      };
      const handIn = () => Atomics.store(word, 0, WORD.HAND_IN);
      // The place is free when the calculation has really ended, not when its caller left.
      const ended = () => {
        clearTimeout(grace);
        signals.leave.removeEventListener('abort', giveUp);
        signals.handIn?.removeEventListener('abort', handIn);
        places.leave(kind);
      };
      running.then(ended, ended);
      if (signals.handIn?.aborted) handIn();
      else signals.handIn?.addEventListener('abort', handIn, { once: true });
      if (signals.leave.aborted) giveUp();
      else signals.leave.addEventListener('abort', giveUp, { once: true });
    });
    try {
      return await Promise.race([running, givenUp]);
    } catch (error) {
      throw places.closed && !signals.leave.aborted ? shuttingDown() : error;
    } finally {
      over = true;
      channel?.port2.close();
    }
  }

  let longRunning = 0;
  /** Slice by slice, each behind whatever came before it; then the answer from what was handed in. */
  async function inSlices(
    name: SteppedName,
    given: unknown,
    {
      signal,
      deadline,
      progress,
    }: { signal: AbortSignal; deadline?: number | undefined; progress?: Progress | undefined },
  ): Promise<CalculationReply> {
    if (longRunning >= long) throw tooMany();
    longRunning++;
    const limit = createTimeLimit(signal, deadline, marginMs);
    try {
      const input = new Uint8Array(serialize(given));
      const parts: Uint8Array[] = [];
      let next = 0;
      while (!limit.over) {
        const work: CalculationWork = { kind: 'slice', name, input, from: next, sliceMs };
        const reply = await inThread('slice', work, limit, progress).catch((error: unknown) => {
          if (limit.endedBy(error)) return null;
          throw error;
        });
        if (reply === null) break;
        if (reply.kind !== 'part') return reply;
        parts.push(reply.part);
        next = reply.next;
        if (next === reply.total) break;
      }
      const work: CalculationWork = { kind: 'answer', name, input, parts };
      return await inThread('answer', work, { enter: signal, leave: signal }, undefined);
    } finally {
      limit.done();
      longRunning--;
    }
  }

  return {
    async run(name, input, { signal, deadline, progress }) {
      signal.throwIfAborted();
      return read(
        isStepped(name)
          ? await inSlices(name, input, { signal, deadline, progress })
          : await inThread('single', { kind: 'whole', name, input }, { enter: signal, leave: signal }, progress),
      );
    },
    get threads() {
      return pool?.threads.length ?? 0;
    },
    async close() {
      places.close();
      await pool?.destroy();
    },
  };
}

function read(reply: CalculationReply): CalculationAnswer {
  switch (reply.kind) {
    case 'answer':
      return reply.answer;
    case 'refusal': {
      const { code, message, details, remediation } = reply;
      throw new ToolError(code, { message, remediation, ...(details === undefined ? {} : { details }) });
    }
    case 'part':
    case 'stopped':
      throw new CalculationStopped();
  }
}
