import { csvOf, gated, rolledUp, rowsAt, stepped } from '../../gate/testing/tables.ts';
import { testWholePage } from '../testing/whole-page.ts';
import { gatePage } from './gate-page.ts';

testWholePage('the gate', async () => {
  const rows = rowsAt(stepped(600, 300)).filter((_, at) => at !== 200);
  const broken = rows.map((row, at) => (at % 90 === 7 ? { ...row, low: row.high + 1 } : row));
  const result = await gated({
    'a-folder/with-a-long-name/BTCUSDT-5m-2019-01.csv': csvOf(broken),
    'a-folder/with-a-long-name/BTCUSDT-1h-2019-01.csv': csvOf(rolledUp(rows, 12)),
  });
  return gatePage(result, '1.0.0');
});
