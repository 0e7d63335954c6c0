import type { Terminal } from './terminals.ts';

/** Which version of something a terminal had, and when. Told in order of time. */
export interface VersionHistory {
  set(terminal: Terminal, at: number, version: string): void;
  at(terminal: Terminal, at: number): string;
  last(terminal: Terminal): string;
}

export function versionHistory(first: (terminal: Terminal) => string): VersionHistory {
  const changes = new Map<number, { at: number; version: string }[]>();
  const of = (terminal: Terminal) => changes.get(terminal.number) ?? [];
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
