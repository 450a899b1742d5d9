import { testWholePage } from '@candleproof/reports/testing/whole-page';
import { formatCsv, judgeTables, listTimes, makeRows, rollUpRows } from '../testing/tables.ts';
import { gatePage } from './gate-page.ts';

testWholePage('the gate', async () => {
  const rows = makeRows(listTimes(600, 300)).filter((_, at) => at !== 200);
  const broken = rows.map((row, at) => (at % 90 === 7 ? { ...row, low: row.high + 1 } : row));
  const result = await judgeTables({
    'a-folder/with-a-long-name/BTCUSDT-5m-2019-01.csv': formatCsv(broken),
    'a-folder/with-a-long-name/BTCUSDT-1h-2019-01.csv': formatCsv(rollUpRows(rows, 12)),
  });
  return gatePage(result, '1.0.0');
});
