/**
 * Compares what tools declare with what the live databases have, and says for each tool whether it can be offered.
 *
 * A missing required column disables just the tools that require it; a missing optional one is drift; an unreachable database
 * leaves its tools pending. A column a declared write needs counts like a required one. Pure: it reads no database.
 */
import type { DatabaseName, TableUse, WriteTarget } from '../../kit/tool.ts';
import type { LiveTable, LiveTables } from './catalogue.ts';

export interface IndexWish {
  readonly db: DatabaseName;
  readonly table: string;
  /** Leading columns in order. */
  readonly columns: readonly string[];
}

/** What the check needs to know of a tool. */
export interface CheckedTool {
  readonly server: string;
  readonly name: string;
  readonly reads: readonly TableUse[];
  readonly writes: readonly WriteTarget[];
  readonly indexes?: readonly IndexWish[];
}

export type MissingReason = 'absent' | 'not_granted' | 'type_mismatch' | 'unverified_schema' | 'writable_read_role';

export interface Missing {
  readonly db: DatabaseName;
  readonly table: string;
  readonly column: string;
  readonly reason: MissingReason;
}

export interface ToolReport {
  readonly server: string;
  readonly tool: string;
  readonly state: 'ready' | 'disabled' | 'pending';
  /** Why it is disabled. */
  readonly missing: readonly Missing[];
  /** Optional columns to leave out: their values are null and the answer warns of SCHEMA_DRIFT. */
  readonly drift: readonly Missing[];
  /** Indexes it wants and does not find: UNINDEXED_QUERY and a statement timeout of 2 s. */
  readonly unindexed: readonly IndexWish[];
  /** Databases that were not reachable or not configured. */
  readonly waitingFor: readonly DatabaseName[];
}

export interface WritableTable {
  readonly db: DatabaseName;
  readonly table: string;
  readonly privileges: readonly string[];
}

export interface SchemaReport {
  readonly tools: readonly ToolReport[];
  readonly databases: Readonly<Record<DatabaseName, 'checked' | 'unavailable' | 'not_configured'>>;
  /** Tables of the switch and of merchant management that a read role could change (WRITABLE_READ_ROLE). */
  readonly writableReadRoles: readonly WritableTable[];
  /** Columns the read role may select from a table whose columns were never verified. */
  readonly unverifiedColumns: Readonly<Record<string, readonly string[]>>;
}

/** Catalogues as the read role and the write role see them; undefined when the database did not answer. */
export interface Catalogues {
  readonly read: ReadonlyMap<DatabaseName, LiveTables | undefined>;
  readonly write: ReadonlyMap<DatabaseName, LiveTables | undefined>;
  readonly writable: readonly WritableTable[];
}

export interface ReportOptions {
  /** The operator has compared `pos_failed_transaction` with the live schema. */
  readonly failedTransactionVerified: boolean;
  /** Disable tools that read a guarded table which their role could change. */
  readonly strictRoles: boolean;
}

const UNVERIFIED = ['pos_failed_transaction', 'pos_temp_transaction'];

export function compare(tools: readonly CheckedTool[], catalogues: Catalogues, options: ReportOptions): ToolReport[] {
  return tools.map((tool) => {
    const missing: Missing[] = [];
    const drift: Missing[] = [];
    const waitingFor = new Set<DatabaseName>();
    for (const use of tool.reads) {
      const live = catalogues.read.get(use.db);
      if (live) checkReads(use, live.get(use.table), missing, drift, options);
      else waitingFor.add(use.db);
      const exposed = catalogues.writable.some(({ db, table }) => db === use.db && table === use.table);
      if (exposed && options.strictRoles) {
        missing.push({ db: use.db, table: use.table, column: '*', reason: 'writable_read_role' });
      }
    }
    for (const target of tool.writes) {
      const live = catalogues.write.get(target.db);
      if (live) checkWrites(target, live.get(target.table), missing);
      else waitingFor.add(target.db);
    }
    const unindexed = (tool.indexes ?? []).filter((wish) => {
      const live = catalogues.read.get(wish.db);
      return live !== undefined && !hasIndex(live.get(wish.table), wish.columns);
    });
    const state = missing.length > 0 ? 'disabled' : waitingFor.size > 0 ? 'pending' : 'ready';
    return { server: tool.server, tool: tool.name, state, missing, drift, unindexed, waitingFor: [...waitingFor] };
  });
}

function checkReads(
  use: TableUse,
  table: LiveTable | undefined,
  missing: Missing[],
  drift: Missing[],
  options: ReportOptions,
) {
  for (const [column, { family, required }] of Object.entries(use.columns)) {
    const live = table?.columns.get(column);
    const reason = !live ? 'absent' : !live.readable ? 'not_granted' : live.family !== family ? 'type_mismatch' : null;
    if (reason) (required ? missing : drift).push({ db: use.db, table: use.table, column, reason });
  }
  if (use.db !== 'product' || use.table !== 'pos_failed_transaction') return;
  if (!options.failedTransactionVerified) {
    missing.push({ db: use.db, table: use.table, column: '*', reason: 'unverified_schema' });
    return;
  }
  // Beyond single columns: a time, and at least two ways to recognise a transaction.
  const has = (column: string) => table?.columns.get(column)?.readable === true;
  if (!has('transaction_time') && !has('inserted_at')) {
    missing.push({ db: use.db, table: use.table, column: 'transaction_time', reason: 'absent' });
  }
  const keys = ['reference_no', 'stan', 'response_code'];
  if (keys.filter(has).length < 2) {
    for (const column of keys)
      if (!has(column)) missing.push({ db: use.db, table: use.table, column, reason: 'absent' });
  }
}

function checkWrites(target: WriteTarget, table: LiveTable | undefined, missing: Missing[]) {
  for (const column of target.columns) {
    const live = table?.columns.get(column);
    const granted = target.operation === 'insert' ? live?.insertable : live?.updatable;
    const reason = !live ? 'absent' : !granted ? 'not_granted' : null;
    if (reason) missing.push({ db: target.db, table: target.table, column, reason });
  }
}

function hasIndex(table: LiveTable | undefined, columns: readonly string[]): boolean {
  return table?.indexes.some((index) => columns.every((column, place) => index[place] === column)) ?? false;
}

/** The switch's tables and all of merchant management must be out of the read role's reach to change. */
export function writableReadRoles(read: Catalogues['read']): WritableTable[] {
  const found: WritableTable[] = [];
  for (const [db, tables] of read) {
    for (const [table, { changeable }] of tables ?? []) {
      const guarded = db === 'mms' || (db === 'product' && table.startsWith('pos_'));
      if (guarded && changeable.length > 0) found.push({ db, table, privileges: changeable });
    }
  }
  return found;
}

export function unverifiedColumns(read: Catalogues['read']): Record<string, readonly string[]> {
  const product = read.get('product');
  const readable = (name: string) =>
    [...(product?.get(name)?.columns ?? [])].filter(([, column]) => column.readable).map(([column]) => column);
  return Object.fromEntries(UNVERIFIED.map((name) => [name, readable(name)]));
}
