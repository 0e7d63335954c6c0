/** All rows of the demo operation, as a pure function of the moment they are told from. */
import type { DatabaseName } from '../../kit/tool.ts';
import { DemoCalendar } from './calendar.ts';
import { deploymentTables } from './deployments.ts';
import { buildMerchants, merchantTables } from './merchants.ts';
import { obanTables } from './oban.ts';
import { buildTransactions } from './payments.ts';
import { pushTables } from './pushes.ts';
import { riskTables } from './risk.ts';
import type { TableRows } from './rows.ts';
import { settlementTables } from './settlement.ts';
import { switchTables } from './switch.ts';
import { buildTerminals, terminalTables } from './terminals.ts';

/** Tables of each database in an order that satisfies their references. */
export type DemoData = Readonly<Record<DatabaseName, readonly TableRows[]>>;

export function buildDemo(asOf: Date): DemoData {
  const calendar = new DemoCalendar(asOf);
  const merchants = buildMerchants();
  const terminals = buildTerminals(merchants, calendar);
  const transactions = buildTransactions(terminals, calendar);
  return {
    product: [
      ...terminalTables(terminals, calendar),
      ...pushTables(terminals, calendar),
      ...deploymentTables(terminals, calendar),
      ...switchTables(transactions, terminals, calendar),
      ...obanTables(calendar),
    ],
    settlement: settlementTables(transactions, calendar),
    mms: merchantTables(merchants, calendar),
    risk: riskTables(transactions, merchants, calendar),
  };
}
