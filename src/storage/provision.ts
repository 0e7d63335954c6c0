import type { Sql } from 'postgres';
import { LOGIN_ROLES, OWNER_ROLES } from './roles.ts';

/** Makes the roles that are missing and sets the passwords of the login roles. Needs a superuser or CREATEROLE. */
export async function ensureRoles(sql: Sql, passwords: Readonly<Record<string, string>>): Promise<void> {
  const present = await sql<{ rolname: string }[]>`
    select rolname from pg_roles where rolname = any(${[...LOGIN_ROLES, ...OWNER_ROLES]})`;
  const known = new Set(present.map((row) => row.rolname));
  const statements: string[] = [];
  for (const role of OWNER_ROLES) if (!known.has(role)) statements.push(`create role ${role} nologin`);
  for (const role of LOGIN_ROLES) {
    const password = passwords[role];
    if (password === undefined || !/^[\w-]{16,}$/.test(password)) throw new TypeError(`no usable password for ${role}`);
    if (!known.has(role)) statements.push(`create role ${role} login password '${password}'`);
  }
  if (!known.has('mcp_ro')) statements.push('alter role mcp_ro set default_transaction_read_only = on');
  if (statements.length > 0) await sql.unsafe(statements.join(';\n'));
}

/** Makes the databases that are missing and closes them to roles that have no business there. */
export async function ensureDatabases(sql: Sql, names: readonly string[]): Promise<void> {
  const present = await sql<{ datname: string }[]>`select datname from pg_database where datname = any(${[...names]})`;
  const known = new Set(present.map((row) => row.datname));
  for (const name of names) {
    if (known.has(name)) continue;
    await sql`create database ${sql(name)}`;
    await closeDatabase(sql, name);
  }
}

/** `connect` and `temporary` are public by default; here each database is for its own roles only. */
export async function closeDatabase(sql: Sql, name: string): Promise<void> {
  await sql`revoke all on database ${sql(name)} from public`;
  if (name.startsWith('gateway')) {
    // The job queue makes its own schema.
    await sql`grant connect, create on database ${sql(name)} to gateway`;
    return;
  }
  await sql`grant connect on database ${sql(name)} to mcp_ro`;
  if (!name.startsWith('mms')) await sql`grant connect on database ${sql(name)} to mcp_rw`;
}
