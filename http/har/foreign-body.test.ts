import { expect, test } from '@playwright/test';
import { type HarEntry, only } from '../testing/har-entries.ts';
import { fromHar } from './har.ts';

test('sizes on the wire are counted in too many ways to be taken over', () => {
  const counted = only({ response: { status: 200, content: { size: 5, text: '[1,2]' }, bodySize: 7 } });
  const bare = only({ response: { status: 200, content: { size: -1, text: '[1,2]' }, bodySize: -1 } });
  expect(counted.response?.body).toEqual({ text: '[1,2]', encoding: 'utf8', decodedBytes: 5 });
  expect(bare.response?.body).toEqual({ text: '[1,2]', encoding: 'utf8' });
});

const UNRECORDED: [name: string, content: HarEntry, headers?: HarEntry[]][] = [
  ['no text', { size: 40 }],
  ['no text and no size', { size: -1 }],
  ['no text and the size 0', { size: 0 }],
  ['a text that is shorter than its size', { size: 40, text: '[1,2]' }],
  ['Base64 that is shorter than its size', { size: 40, text: 'WzEsMl0=', encoding: 'base64' }],
  [
    'an empty text where a length was announced',
    { size: 0, text: '' },
    [{ name: 'content-length', value: '40' }],
  ],
  ['a file that is not there', { _file: 'gone.json' }],
  ['a file elsewhere', { _file: '../body.json' }],
  ['a file by its path', { _file: '/body.json' }],
  ['a file in a folder', { _file: 'folder\\body.json' }],
];

/** Whatever a name leads to, there is something. */
const everything = (name: string): Buffer | undefined =>
  name === 'gone.json' ? undefined : Buffer.from('[1,2]');

for (const [name, content, headers = []] of UNRECORDED) {
  test(`${name} is a body that was not recorded`, () => {
    const entry = { request: { url: 'https://host/tokens' }, response: { status: 200, headers, content } };
    const text = JSON.stringify({ log: { entries: [entry] } });
    const [read] = fromHar(text, 'browser.har', { attached: everything }).exchanges;
    expect(read?.response).toMatchObject({ status: 200 });
    expect(read?.response).not.toHaveProperty('body');
  });
}

test('an empty text is an empty body, and a file beside the recording is one', () => {
  expect(only({ response: { status: 200, content: { size: 0, text: '' } } }).response?.body?.text).toBe('');
  const response = { status: 200, content: { _file: '2aae6c35c94fcfb415db.json' } };
  const text = JSON.stringify({ log: { entries: [{ request: { url: 'https://host/' }, response }] } });
  const [read] = fromHar(text, 'browser.har', { attached: everything }).exchanges;
  expect(read?.response?.body).toEqual({ text: '[1,2]', encoding: 'utf8' });
});
