import type { DemoCalendar } from './calendar.ts';
import type { Table } from './copy.ts';
import { buildDumps } from './dumps.ts';
import { exceptionTables } from './exceptions.ts';
import { buildMerchants, mmsTables } from './merchants.ts';
import { obanTable } from './oban.ts';
import { buildDeployments } from './packages.ts';
import { buildPushes } from './pushes.ts';
import { riskTables } from './risk.ts';
import { settlementTables } from './settlement.ts';
import { slaTable } from './sla.ts';
import { statusLogTable } from './status-logs.ts';
import { switchTables } from './switch.ts';
import { templateTables } from './templates.ts';
import { buildTerminals, terminalTable } from './terminals.ts';
import { buildSales } from './transactions.ts';

export type DemoDatabase = 'product' | 'settlement' | 'mms' | 'risk';

/** The tables of the four databases, each in an order that foreign keys allow. All tell of the same events. */
export function demoTables(calendar: DemoCalendar): Record<DemoDatabase, Table[]> {
  const merchants = buildMerchants();
  const terminals = buildTerminals(calendar, merchants);
  const { app, tables: packages } = buildDeployments(calendar, terminals);
  const { parameter, emv, tables: pushes } = buildPushes(calendar, terminals);
  const sales = buildSales(calendar, terminals);
  const dumps = buildDumps(calendar, sales);
  return {
    product: [
      terminalTable(calendar, terminals, { app, parameter, emv }),
      statusLogTable(calendar, terminals, app),
      ...templateTables(calendar, terminals),
      ...pushes,
      ...packages,
      ...switchTables(calendar, sales, terminals),
      obanTable(calendar),
    ],
    settlement: [
      ...dumps.tables,
      ...settlementTables(calendar, sales),
      ...exceptionTables(calendar, sales),
      slaTable(calendar, dumps),
    ],
    mms: mmsTables(calendar, merchants),
    risk: riskTables(calendar, sales),
  };
}
