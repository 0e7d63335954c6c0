/**
 * Names of the topics between gateway and terminals. A serial number may hold any script; in a topic it is one segment, percent-encoded
 * byte by byte, so that it can never add a level (`/`) or a wildcard (`+`, `#`) to the topic, and two serials never share a segment.
 */

const BEYOND_URI_COMPONENT = /[!'()*]/g;

/**
 * The topic segment of a serial number: UTF-8 bytes outside `[A-Za-z0-9._~-]` become `%HH` (upper-case hexadecimal).
 * Throws RangeError for an empty serial and for text that has no UTF-8 form (a lone surrogate).
 */
export function encodeSerial(serial: string): string {
  if (serial === '') throw new RangeError('a serial number cannot be empty');
  try {
    return encodeURIComponent(serial).replace(
      BEYOND_URI_COMPONENT,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  } catch {
    throw new RangeError('the serial number is not well-formed Unicode');
  }
}

/**
 * The serial number behind a topic segment, or null. Only the one spelling that `encodeSerial` gives is taken: brokers grant rights by the
 * text of a topic, so another spelling of the same serial (`%41` for `A`) is not the same terminal.
 */
export function decodeSerial(segment: string): string | null {
  try {
    const serial = decodeURIComponent(segment);
    return serial !== '' && encodeSerial(serial) === segment ? serial : null;
  } catch {
    return null;
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** One topic level that is neither empty nor holds a separator or wildcard. */
const LEVEL = /^[A-Za-z0-9_-]{1,64}$/;
const PREFIX = /^[A-Za-z0-9._~%-]+(?:\/[A-Za-z0-9._~%-]+)*$/;
/** The group in which replicas share the acks (MQTT 5 shared subscription). */
export const ACK_GROUP = 'mcp-ack';

export interface AckAddress {
  readonly serialNumber: string;
  readonly commandId: string;
}

export interface Topics {
  readonly prefix: string;
  /** `{prefix}/{serial}/cmd/{command_type}` */
  command(serialNumber: string, commandType: string): string;
  /** `{prefix}/{serial}/ack/{command_id}` */
  ack(serialNumber: string, commandId: string): string;
  /** `{prefix}/{serial}/log/{session_id}` */
  log(serialNumber: string, sessionId: string): string;
  /** Every ack of every terminal. */
  readonly ackFilter: string;
  /** The same, shared out among the replicas. */
  readonly sharedAckFilter: string;
  /** Every command of every terminal, for a device simulator. */
  readonly commandFilter: string;
  /** Whose ack a topic is, or null where it is not an ack topic. */
  parseAck(topic: string): AckAddress | null;
  parseCommand(topic: string): { readonly serialNumber: string; readonly commandType: string } | null;
}

/** Topics under one prefix such as `tms/v1`. Throws RangeError for a prefix that holds wildcards, empty levels or a leading `$`. */
export function topicsUnder(prefix: string): Topics {
  if (!PREFIX.test(prefix)) throw new RangeError('the MQTT prefix needs levels of [A-Za-z0-9._~%-] separated by "/"');
  const build = (serialNumber: string, kind: string, last: string): string => {
    if (!LEVEL.test(last)) throw new RangeError(`not a topic level: ${kind}`);
    return `${prefix}/${encodeSerial(serialNumber)}/${kind}/${last}`;
  };
  const parse = (topic: string, kind: string): { serialNumber: string; last: string } | null => {
    if (!topic.startsWith(`${prefix}/`)) return null;
    const [segment, found, last, ...more] = topic.slice(prefix.length + 1).split('/');
    if (segment === undefined || found !== kind || last === undefined || more.length > 0) return null;
    const serialNumber = decodeSerial(segment);
    return serialNumber === null || !LEVEL.test(last) ? null : { serialNumber, last };
  };
  return {
    prefix,
    command: (serialNumber, commandType) => build(serialNumber, 'cmd', commandType),
    ack: (serialNumber, commandId) => build(serialNumber, 'ack', commandId),
    log: (serialNumber, sessionId) => build(serialNumber, 'log', sessionId),
    ackFilter: `${prefix}/+/ack/+`,
    sharedAckFilter: `$share/${ACK_GROUP}/${prefix}/+/ack/+`,
    commandFilter: `${prefix}/+/cmd/+`,
    parseAck(topic) {
      const parts = parse(topic, 'ack');
      if (parts === null || !UUID.test(parts.last)) return null;
      return { serialNumber: parts.serialNumber, commandId: parts.last };
    },
    parseCommand(topic) {
      const parts = parse(topic, 'cmd');
      return parts === null ? null : { serialNumber: parts.serialNumber, commandType: parts.last };
    },
  };
}
