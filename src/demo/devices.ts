/**
 * Terminals for the demo: one MQTT client that answers for every serial number, as real terminals would.
 *
 * The last digit of a serial decides first: 9 never answers, 8 answers `failed` with `E_STORAGE_FULL`. All others answer `accepted`,
 * `in_progress`, `succeeded`: within 1 s where the serial begins with `NV5-0001`, within 3 s elsewhere. A command id already seen and a
 * command past its `expires_at` are dropped, as the contract asks of terminals.
 */
import mqtt from 'mqtt';
import type { JsonObject } from '../kit/index.ts';
import { type AckPayload, type CommandPayload, commandPayload } from '../messaging/payloads.ts';
import { topicsUnder } from '../messaging/topics.ts';

export interface DeviceSimulator {
  /** Commands taken, without the dropped ones. */
  readonly handled: number;
  stop(): Promise<void>;
}

/** How many command ids the simulator remembers. */
const REMEMBERED = 10_000;

interface Answer {
  readonly afterMs: number;
  readonly status: AckPayload['status'];
  readonly code?: string;
  readonly message?: string;
  readonly versions?: Record<string, string>;
}

/** What a terminal answers to a command, and when. */
export function answersOf(command: CommandPayload): readonly Answer[] {
  const digit = command.serial_number.match(/\d(?=\D*$)/)?.[0];
  if (digit === '9') return [];
  const quick = command.serial_number.startsWith('NV5-0001');
  // Slow terminals differ, but each is the same every time.
  const spread = [...command.serial_number].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 997, 7);
  const first = quick ? 100 : 1000 + (spread % 500);
  const last = quick ? 700 : 2000 + (spread % 900);
  const accepted: Answer = { afterMs: first, status: 'accepted' };
  if (digit === '8') {
    const full = { status: 'failed', code: 'E_STORAGE_FULL', message: 'not enough storage' } as const;
    return [accepted, { afterMs: last, ...full }];
  }
  return [
    accepted,
    { afterMs: (first + last) / 2, status: 'in_progress', code: 'installing' },
    { afterMs: last, status: 'succeeded', versions: installed(command.params) },
  ];
}

function installed(params: JsonObject): Record<string, string> {
  const { config_type: type, version } = params;
  if (typeof version !== 'string') return {};
  return { [typeof type === 'string' ? type : 'application']: version };
}

/** Connects to the broker and answers until stopped. The first connect is awaited. */
export async function startDevices(options: {
  readonly url: string;
  readonly prefix: string;
}): Promise<DeviceSimulator> {
  const topics = topicsUnder(options.prefix);
  const client = await mqtt.connectAsync(options.url, {
    protocolVersion: 4,
    clientId: `terminals-${process.pid}-${Math.random().toString(36).slice(2, 10)}`,
    // A lasting session: commands wait at the broker while the terminals are away.
    clean: false,
    reconnectPeriod: 500,
  });
  client.on('error', () => {
    // The client connects again by itself.
  });
  const seen = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let handled = 0;

  const read = (topic: string, bytes: Buffer): CommandPayload | null => {
    try {
      const command = commandPayload.parse(JSON.parse(bytes.toString('utf8')));
      return topics.parseCommand(topic)?.serialNumber === command.serial_number ? command : null;
    } catch {
      return null;
    }
  };

  client.on('message', (topic, bytes) => {
    const command = read(topic, bytes);
    if (command === null || seen.has(command.command_id) || Date.parse(command.expires_at) <= Date.now()) return;
    seen.add(command.command_id);
    if (seen.size > REMEMBERED) for (const oldest of seen) if (seen.delete(oldest)) break;
    handled += 1;
    for (const [index, answer] of answersOf(command).entries()) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        const ack = {
          command_id: command.command_id,
          seq: index + 1,
          status: answer.status,
          code: answer.code ?? null,
          message: answer.message ?? null,
          at: new Date().toISOString(),
          versions: answer.versions ?? null,
        } satisfies AckPayload;
        client.publish(topics.ack(command.serial_number, command.command_id), JSON.stringify(ack), { qos: 1 });
      }, answer.afterMs);
      timers.add(timer);
    }
  });
  await client.subscribeAsync(topics.commandFilter, { qos: 1 });
  return {
    get handled() {
      return handled;
    },
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await client.endAsync(true);
    },
  };
}
