/** What a history is kept for. */
interface Versioned {
  readonly number: number;
  readonly serial: string;
}

/** Which version of something a terminal had, and when. Told in order of time. */
export interface VersionHistory<T extends Versioned> {
  set(terminal: T, at: number, version: string): void;
  at(terminal: T, at: number): string;
  last(terminal: T): string;
}

export function versionHistory<T extends Versioned>(first: (terminal: T) => string): VersionHistory<T> {
  const changes = new Map<number, { at: number; version: string }[]>();
  const of = (terminal: T) => changes.get(terminal.number) ?? [];
  return {
    set: (terminal, at, version) => {
      const list = of(terminal);
      if ((list.at(-1)?.at ?? 0) > at) throw new RangeError(`${terminal.serial}: versions told out of order`);
      changes.set(terminal.number, [...list, { at, version }]);
    },
    at: (terminal, at) => of(terminal).findLast((change) => change.at <= at)?.version ?? first(terminal),
    last: (terminal) => of(terminal).at(-1)?.version ?? first(terminal),
  };
}
