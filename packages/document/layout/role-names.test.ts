import { expect, test } from '@playwright/test';
import { bareName, findNamed } from './role-names.ts';

test('averages weighted by volume and counts of trades are known by their usual names', () => {
  const names = ['weighted_avg_price', 'transactionCount', 'Executions', 'weighted', 'transaction_fee'];
  const bare = names.map(bareName);
  expect(findNamed(bare, 'average')).toEqual([0]);
  expect(findNamed(bare, 'trades')).toEqual([1, 2]);
});

test('names in other scripts are known', () => {
  const known = (names: string, role: 'date' | 'open' | 'high' | 'low' | 'close' | 'volume'): number[] =>
    findNamed(names.split(',').map(bareName), role);
  const exports = [
    '日期,股票代码,名称,收盘价,最高价,最低价,开盘价,前收盘,涨跌额,涨跌幅,成交量,成交金额',
    '일자,코드,종목명,종가,고가,저가,시가,대비,등락,등락률,거래량,거래대금',
    'Дата,,,Цена,Макс.,Мин.,Откр.,,,Изм. %,Объём',
  ];
  for (const names of exports) {
    expect([known(names, 'date'), known(names, 'close'), known(names, 'high')]).toEqual([[0], [3], [4]]);
    expect([known(names, 'low'), known(names, 'open'), known(names, 'volume')]).toEqual([[5], [6], [10]]);
  }
});
