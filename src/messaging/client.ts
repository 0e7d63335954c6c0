/**
 * The connection to the MQTT broker.
 *
 * Guarantees: a message is handed over at QoS 1, never retained, and `publish` says `ok` only after the broker's PUBACK; an incoming ack is
 * confirmed to the broker only after its handler is done, so an ack whose recording failed is delivered again to a lasting session; the
 * start never waits for the broker, and a lost connection is rebuilt with back-off for as long as the process lives.
 * Leaves to others: trying again (the relay), order (the relay), what an ack means (acks.ts). Nothing is buffered here: without a connection
 * `publish` says so at once.
 */
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { faultName } from './faults.ts';
import type { MessagingLog } from './log.ts';
import { pause } from './pause.ts';
import type { Topics } from './topics.ts';

export interface BrokerOptions {
  /** `mqtt://`, `mqtts://`, `ws://` or `wss://`. */
  readonly url: string;
  readonly topics: Topics;
  readonly log: MessagingLog;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /**
   * A name that is this replica's alone and stays the same over restarts. With it the broker keeps acks for the replica while it is away;
   * without it each connection has a name of its own and acks sent meanwhile reach only other replicas.
   */
  readonly clientId?: string;
  readonly connectTimeoutMs?: number;
  readonly publishTimeoutMs?: number;
  /** First and longest pause between attempts to connect. */
  readonly backoff?: { readonly firstMs: number; readonly longestMs: number };
}

export type BrokerProtocol = '5.0' | '3.1.1';
export interface BrokerState {
  readonly status: 'connecting' | 'connected' | 'waiting' | 'closed';
  /** What the broker agreed to. Null while not connected. */
  readonly protocol: BrokerProtocol | null;
  /** The code of the last fault, without host or credentials. */
  readonly lastFault: string | null;
}

export interface PublishOptions {
  /** Message Expiry Interval in seconds (MQTT 5 only). */
  readonly expirySeconds: number;
  /** Response Topic (MQTT 5 only). */
  readonly responseTopic: string;
  /** Correlation Data (MQTT 5 only). */
  readonly correlation: string;
}

/** PUBACK reason code: the broker took the message, but nobody subscribes to its topic (MQTT 5.0 section 3.4.2.1). */
export const NO_MATCHING_SUBSCRIBERS = 0x10;

export type PublishResult =
  | { readonly ok: true /** 0, or 0x10. Always 0 on 3.1.1, which does not tell. */; readonly reasonCode: number }
  /** `not_connected`: nothing was sent. The others: it may have been sent. */
  | {
      readonly ok: false;
      readonly kind: 'not_connected' | 'connection_lost' | 'timeout' | 'refused';
      readonly reasonCode: number | null;
    };

export interface BrokerClient {
  readonly state: BrokerState;
  publish(topic: string, payload: string, options: PublishOptions): Promise<PublishResult>;
  /** Called after each successful connect and subscribe. */
  onConnected(listener: () => void): void;
  start(handleAck: (topic: string, payload: Uint8Array) => Promise<void>): void;
  close(): Promise<void>;
}

type Attempt =
  | { readonly kind: 'connected'; readonly client: MqttClient; readonly protocol: BrokerProtocol }
  | { readonly kind: 'version_refused' }
  | { readonly kind: 'failed'; readonly fault: string };

/** CONNACK codes that say "not this protocol version": of 3.1.1 and of 5.0. */
const VERSION_REFUSED: readonly (number | string | undefined)[] = [0x01, 0x84];
/** A lasting session keeps unconfirmed acks for a day. */
const SESSION_SECONDS = 86_400;
const ACK_TRIES = 5;

export function createBrokerClient(options: BrokerOptions): BrokerClient {
  const { topics, log } = options;
  const backoff = options.backoff ?? { firstMs: 1000, longestMs: 30_000 };
  const publishTimeoutMs = options.publishTimeoutMs ?? 10_000;
  const listeners: (() => void)[] = [];
  const inFlight = new Set<(result: PublishResult) => void>();
  let state: BrokerState = { status: 'waiting', protocol: null, lastFault: null };
  let current: MqttClient | null = null;
  let reasonCodes = new Map<number, number>();
  let handleAck: (topic: string, payload: Uint8Array) => Promise<void> = async () => {};
  let running: Promise<void> | null = null;
  const closing = new AbortController();

  const clientOptions = (protocol: BrokerProtocol): IClientOptions => ({
    protocolVersion: protocol === '5.0' ? 5 : 4,
    ...(options.clientId === undefined ? {} : { clientId: options.clientId }),
    clean: options.clientId === undefined,
    ...(protocol === '5.0' && options.clientId !== undefined
      ? { properties: { sessionExpiryInterval: SESSION_SECONDS } }
      : {}),
    ...(options.username === undefined ? {} : { username: options.username }),
    ...(options.password === undefined ? {} : { password: options.password }),
    ...options.tls,
    keepalive: 30,
    connectTimeout: options.connectTimeoutMs ?? 5000,
    // Both off: a client lives for one connection, and the relay alone decides what is sent again.
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
  });

  /** Confirms an incoming message only after `handleAck` is done; a recording that keeps failing costs the connection, not the ack. */
  function takeAcks(client: MqttClient): void {
    client.handleMessage = (packet, done) => {
      const record = async (): Promise<void> => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            await handleAck(packet.topic, Buffer.from(packet.payload));
            done();
            return;
          } catch (fault) {
            if (attempt === ACK_TRIES || !client.connected) {
              log.error({ fault: faultName(fault) }, 'an ack could not be recorded; the broker will deliver it again');
              client.end(true);
              return;
            }
            await pause(200 * 2 ** (attempt - 1), closing.signal);
          }
        }
      };
      void record();
    };
  }

  async function subscribe(client: MqttClient, protocol: BrokerProtocol): Promise<void> {
    const subscribeTo = (filter: string) => client.subscribeAsync(filter, { qos: 1 });
    if (protocol === '3.1.1') {
      await subscribeTo(topics.ackFilter);
      return;
    }
    try {
      await subscribeTo(topics.sharedAckFilter);
    } catch (fault) {
      // An MQTT 5 broker may refuse shared subscriptions. Plain ones also work: the inbox tells the copies apart.
      log.warn({ fault: faultName(fault) }, 'the broker refuses a shared subscription; subscribing plainly');
      await subscribeTo(topics.ackFilter);
    }
  }

  function connect(protocol: BrokerProtocol): Promise<Attempt> {
    return new Promise((resolve) => {
      const client = mqtt.connect(options.url, clientOptions(protocol));
      let fault: unknown;
      const stop = (): void => {
        client.end(true);
      };
      closing.signal.addEventListener('abort', stop, { once: true });
      client.on('error', (error) => {
        fault = error;
      });
      client.once('connect', () => {
        closing.signal.removeEventListener('abort', stop);
        resolve({ kind: 'connected', client, protocol });
      });
      client.once('close', () => {
        closing.signal.removeEventListener('abort', stop);
        client.end(true);
        const code = typeof fault === 'object' && fault !== null && 'code' in fault ? fault.code : undefined;
        const refused = (typeof code === 'number' || typeof code === 'string') && VERSION_REFUSED.includes(code);
        resolve(
          refused
            ? { kind: 'version_refused' }
            : { kind: 'failed', fault: fault === undefined ? 'closed' : faultName(fault) },
        );
      });
      takeAcks(client);
    });
  }

  /** MQTT 5 first at every connect: a broker that was replaced meanwhile is met anew. */
  async function connectEither(): Promise<Attempt> {
    const attempt = await connect('5.0');
    return attempt.kind === 'version_refused' && !closing.signal.aborted ? connect('3.1.1') : attempt;
  }

  /** One connection from subscribe to loss. */
  async function serve(client: MqttClient, protocol: BrokerProtocol): Promise<void> {
    const lost = new Promise<void>((resolve) => {
      if (!client.connected) resolve();
      client.once('close', () => resolve());
    });
    current = client;
    reasonCodes = new Map();
    client.on('packetreceive', (packet) => {
      // The library hands a PUBACK's reason code over for refusals only, so 0x10 is read here.
      if (packet.cmd === 'puback' && packet.messageId !== undefined && packet.reasonCode) {
        reasonCodes.set(packet.messageId, packet.reasonCode);
      }
    });
    try {
      await Promise.race([subscribe(client, protocol), lost]);
      if (client.connected) {
        state = { status: 'connected', protocol, lastFault: null };
        log.info({ protocol }, 'connected to the MQTT broker');
        for (const listener of listeners) listener();
        await lost;
      }
    } finally {
      current = null;
      client.end(true);
      for (const settle of [...inFlight]) settle({ ok: false, kind: 'connection_lost', reasonCode: null });
    }
  }

  async function run(): Promise<void> {
    let delay = backoff.firstMs;
    while (!closing.signal.aborted) {
      state = { ...state, status: 'connecting', protocol: null };
      const since = Date.now();
      let fault: string | null = 'closed';
      try {
        const attempt = await connectEither();
        if (attempt.kind === 'connected') await serve(attempt.client, attempt.protocol);
        else fault = attempt.kind === 'failed' ? attempt.fault : 'version_refused';
      } catch (error) {
        fault = faultName(error);
      }
      if (closing.signal.aborted) break;
      // A connection that held for a while was a good one: start the back-off anew.
      if (Date.now() - since > 5000) delay = backoff.firstMs;
      if (state.lastFault !== fault) log.warn({ fault }, 'no connection to the MQTT broker; commands queue');
      state = { status: 'waiting', protocol: null, lastFault: fault };
      await pause(delay * (0.75 + Math.random() / 2), closing.signal);
      delay = Math.min(delay * 2, backoff.longestMs);
    }
  }

  return {
    get state() {
      return state;
    },
    onConnected(listener) {
      listeners.push(listener);
    },
    start(handler) {
      if (running !== null) throw new TypeError('the MQTT client is started already');
      handleAck = handler;
      running = run();
    },
    publish(topic, payload, publishOptions) {
      const client = current;
      if (client === null || state.status !== 'connected') {
        return Promise.resolve({ ok: false, kind: 'not_connected', reasonCode: null });
      }
      return new Promise((resolve) => {
        const settle = (result: PublishResult): void => {
          clearTimeout(timer);
          inFlight.delete(settle);
          resolve(result);
        };
        const timer = setTimeout(() => settle({ ok: false, kind: 'timeout', reasonCode: null }), publishTimeoutMs);
        inFlight.add(settle);
        const properties =
          state.protocol === '5.0'
            ? {
                properties: {
                  messageExpiryInterval: publishOptions.expirySeconds,
                  responseTopic: publishOptions.responseTopic,
                  correlationData: Buffer.from(publishOptions.correlation, 'utf8'),
                  contentType: 'application/json',
                  payloadFormatIndicator: true,
                },
              }
            : {};
        client.publish(topic, payload, { qos: 1, retain: false, ...properties }, (error, packet) => {
          const messageId = packet !== undefined && 'messageId' in packet ? packet.messageId : undefined;
          const seen = messageId === undefined ? undefined : reasonCodes.get(messageId);
          if (messageId !== undefined) reasonCodes.delete(messageId);
          if (!error) settle({ ok: true, reasonCode: seen ?? 0 });
          else if (seen !== undefined) settle({ ok: false, kind: 'refused', reasonCode: seen });
          else settle({ ok: false, kind: 'connection_lost', reasonCode: null });
        });
      });
    },
    async close() {
      closing.abort();
      const client = current;
      // A DISCONNECT packet where there is time for it; a broker that does not answer is left.
      if (client !== null) await Promise.race([client.endAsync(), pause(1000)]);
      client?.end(true);
      await running;
      state = { status: 'closed', protocol: null, lastFault: state.lastFault };
    },
  };
}
