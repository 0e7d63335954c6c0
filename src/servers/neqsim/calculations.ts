import { availableParallelism } from 'node:os';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { ToolError } from '../../kit/index.ts';
import { type CalculationAnswer, CalculationStopped } from './calculation.ts';
import type { CalculationInput, CalculationName } from './calculation-table.ts';
import type { CalculationReply, CalculationTask, ProgressMessage } from './calculation-task.ts';

/**
 * Calculations in worker threads, so that the event loop stays free for every other call.
 * Guarantees: a calculation whose signal fires is given up at once and stopped: at its next checkpoint, or with its thread when it does not
 * reach one in time, and the pool goes on with a fresh thread; what the calculation refuses arrives as the ToolError it threw; the number of
 * threads, the length of the queue and the memory of a thread are bounded.
 * Leaves to others: how long a call may take (the gates' deadline), and who may call how often.
 */
export interface Calculations {
  run<Name extends CalculationName>(
    name: Name,
    input: CalculationInput<Name>,
    control: {
      readonly signal: AbortSignal;
      readonly progress?: (done: number, total?: number, message?: string) => void;
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

export interface CalculationSettings {
  readonly threads?: number;
  /** Calculations that may wait for a thread. */
  readonly queue?: number;
  /** How long a calculation that nobody waits for may take to reach a checkpoint before its thread is ended [ms]. */
  readonly graceMs?: number;
}

/** At least two threads, so that one long calculation never holds up all the others. */
const THREADS = Math.max(2, Math.min(8, availableParallelism()));
const QUEUE = 256;
/** A new thread costs about a second of compiling; nearly every calculation ends sooner by itself, so hang-ups do not churn threads. */
const GRACE_MS = 1_000;
const IDLE_MS = 5 * 60_000;
const MEMORY_MB = 512;

export function createCalculations(settings: CalculationSettings = {}): Calculations {
  const { threads = THREADS, queue = QUEUE, graceMs = GRACE_MS } = settings;
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

  return {
    async run(name, input, { signal, progress }) {
      signal.throwIfAborted();
      await places.enter(signal);
      const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const kill = new AbortController();
      const channel = progress === undefined ? undefined : new MessageChannel();
      let over = false;
      channel?.port2.on('message', ({ done, total, message }: ProgressMessage) => {
        if (!over) progress?.(done, total, message);
      });
      const task: CalculationTask = { name, input, stop, port: channel?.port1 };
      const running = open().run(task, {
        signal: kill.signal,
        ...(channel === undefined ? {} : { transferList: [channel.port1] }),
      });

      let grace: NodeJS.Timeout | undefined;
      const givenUp = new Promise<never>((_resolve, reject) => {
        const giveUp = () => {
          Atomics.store(stop, 0, 1);
          grace = setTimeout(() => kill.abort(), graceMs);
          reject(signal.reason);
        };
        signal.addEventListener('abort', giveUp, { once: true });
        // The place is free when the calculation has really ended, not when its caller left.
        const ended = () => {
          clearTimeout(grace);
          signal.removeEventListener('abort', giveUp);
          places.leave();
        };
        running.then(ended, ended);
      });
      try {
        return read(await Promise.race([running, givenUp]));
      } catch (error) {
        throw places.closed && !signal.aborted ? shuttingDown() : error;
      } finally {
        over = true;
        channel?.port2.close();
      }
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

/**
 * One place for each thread, and a bounded queue for them. The pool's own queue is not used: a thread that is ended is not replaced while
 * others of its tasks only wait.
 */
function createPlaces(count: number, longest: number) {
  interface Waiting {
    readonly enter: () => void;
    readonly refuse: (reason: unknown) => void;
  }
  const waiting: Waiting[] = [];
  let free = count;
  let closed = false;
  return {
    get closed() {
      return closed;
    },
    enter(signal: AbortSignal): Promise<void> | void {
      if (closed) throw shuttingDown();
      if (free > 0) {
        free--;
        return;
      }
      if (waiting.length >= longest) {
        throw new ToolError('DEPENDENCY_UNAVAILABLE', {
          message: 'Too many calculations wait for a thread. Try again in some seconds.',
        });
      }
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(signal.reason);
        };
        const entry: Waiting = {
          enter: () => {
            signal.removeEventListener('abort', leave);
            resolve();
          },
          refuse: reject,
        };
        waiting.push(entry);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
    leave(): void {
      const next = waiting.shift();
      if (next) next.enter();
      else free++;
    },
    close(): void {
      closed = true;
      for (const { refuse } of waiting.splice(0)) refuse(shuttingDown());
    },
  };
}

const shuttingDown = () => new ToolError('DEPENDENCY_UNAVAILABLE', { message: 'The gateway is shutting down.' });

function read(reply: CalculationReply): CalculationAnswer {
  switch (reply.kind) {
    case 'answer':
      return reply.answer;
    case 'refusal': {
      const { code, message, details, remediation } = reply;
      throw new ToolError(code, { message, remediation, ...(details === undefined ? {} : { details }) });
    }
    case 'stopped':
      throw new CalculationStopped();
  }
}
