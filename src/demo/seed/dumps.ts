import { type DemoCalendar, MINUTE } from './calendar.ts';
import { type Cell, rowsOf, type Table, table } from './copy.ts';
import { type Currency, decimal } from './money.ts';
import { random } from './prng.ts';
import { isFinancial, LATE_SCHEME, type Sale } from './sales.ts';
import { maskedCard } from './switch.ts';

/** The files that the switch and the QR schemes delivered for D-14 to D-1. A file holds one currency. */
export const LATE_DAY = -2;
const LATE_ARRIVAL = '03:35';

interface DumpFile {
  readonly id: number;
  readonly day: number;
  readonly source: string;
  readonly currency: Currency;
  readonly arrived: number;
}

const SOURCES: readonly (readonly [string, Currency])[] = [
  ['switch', 'AED'],
  ['switch', 'BHD'],
  ['switch', 'JPY'],
  ['demoqr', 'AED'],
  [LATE_SCHEME, 'AED'],
];

interface Line {
  readonly sale: Sale;
  readonly file: DumpFile;
  readonly amount: bigint;
  readonly number: number;
}

export interface Dumps {
  readonly tables: readonly Table[];
  /** When the last file of a day had arrived. */
  arrival(day: number): number;
}

export function buildDumps(calendar: DemoCalendar, sales: readonly Sale[]): Dumps {
  const rng = random('dumps');
  const files: DumpFile[] = [];
  for (let day = -14; day <= -1; day++) {
    for (const [source, currency] of SOURCES) {
      const usual = calendar.at(day + 1, source === 'switch' ? '00:25' : '01:05') + rng.int(0, 14 * 60) * 1000;
      const late = source === LATE_SCHEME && day === LATE_DAY;
      const arrived = late ? calendar.at(day + 1, LATE_ARRIVAL) : calendar.past(usual);
      files.push({ id: files.length + 1, day, source, currency, arrived });
    }
  }
  const fileOf = new Map(files.map((file) => [`${file.day} ${file.source} ${file.currency}`, file]));
  const counts = new Map<number, { records: number; total: bigint }>(
    files.map(({ id }) => [id, { records: 0, total: 0n }]),
  );
  const switchLines: Line[] = [];
  const qrLines: Line[] = [];
  const put = (sale: Sale) => {
    const { currency } = sale.merchant;
    const source = sale.channel === 'qr' ? sale.scheme : 'switch';
    const file = fileOf.get(`${sale.day + (sale.departure?.dumpDays ?? 0)} ${source} ${currency}`)!;
    const count = counts.get(file.id)!;
    const amount = sale.departure?.dumpAmount ?? sale.amount;
    count.records += 1;
    if (!sale.departure?.dumpCurrency) count.total += sale.type === 'refund' ? -amount : amount;
    (sale.channel === 'qr' ? qrLines : switchLines).push({ sale, file, amount, number: count.records });
  };
  for (const sale of sales) {
    if (sale.day >= 0 || !isFinancial(sale) || sale.departure?.dump === 'absent') continue;
    put(sale);
    if (sale.departure?.dump === 'twice') put(sale);
  }
  const fileRows = files.map(({ id, day, source, currency, arrived }): Cell[] => {
    const { records, total } = counts.get(id)!;
    const name = `${source}-${currency}-${calendar.date(day)}.csv`;
    return [
      id,
      source,
      calendar.date(day),
      name,
      new Date(arrived),
      records,
      decimal(total, currency),
      currency,
      'loaded',
    ];
  });
  return {
    tables: [
      table(
        'dump_files',
        'id dump_source business_date file_name arrived_at record_count total_amount currency status',
        fileRows,
        'arrived_at',
      ),
      table(
        'switch_dump_records',
        'id dump_file_id dump_source business_date rrn stan tid mid auth_number mti proc_code response_code amount currency transaction_time masked_card_no line_no',
        rowsOf(switchLines, (line, i) => switchRow(calendar, line, i + 1)),
      ),
      table(
        'qr_scheme_dump_records',
        'id dump_file_id dump_source business_date scheme_reference_no rrn tid mid amount currency status transaction_time',
        rowsOf(qrLines, (line, i) => qrRow(calendar, line, i + 1)),
      ),
    ],
    arrival: (day) => {
      const arrivals = files.filter((file) => file.day === day).map(({ arrived }) => arrived);
      // Older than the retained files.
      return arrivals.length > 0 ? Math.max(...arrivals) : calendar.at(day + 1, '01:12') + 17 * MINUTE;
    },
  };
}

function switchRow(calendar: DemoCalendar, { sale, file, amount, number }: Line, id: number): Cell[] {
  return [
    id,
    file.id,
    file.source,
    calendar.date(file.day),
    sale.rrn,
    sale.stan,
    sale.terminal.tid,
    sale.merchant.mid,
    sale.approval,
    '0200',
    sale.type === 'refund' ? '200000' : '000000',
    sale.response,
    decimal(amount, file.currency),
    sale.departure?.dumpCurrency ?? file.currency,
    new Date(sale.at),
    maskedCard(sale),
    number,
    new Date(file.arrived),
  ];
}

function qrRow(calendar: DemoCalendar, { sale, file, amount }: Line, id: number): Cell[] {
  return [
    id,
    file.id,
    file.source,
    calendar.date(file.day),
    sale.schemeReference,
    sale.rrn,
    sale.terminal.tid,
    sale.merchant.mid,
    decimal(amount, file.currency),
    file.currency,
    'settled',
    new Date(sale.at),
    new Date(file.arrived),
  ];
}
