import { markup } from '@candleproof/reports/words/markup';
import { differencePart, type Side, sidesLine } from '../pages/difference-part.ts';

/**
 * The site's only script: ages, a notice of newer results, comparisons of any two runs, a search over the rows of a
 * page, and copying of commands. Every page is complete without it.
 */
declare const document: PageDocument;
declare const navigator: { readonly clipboard?: { writeText(text: string): Promise<void> } };
declare const location: { readonly search: string; readonly protocol: string };

/** assets/site.js is one folder below the site's root. */
const root = new URL('../', document.currentScript?.src).href;

/** A page from a disk has no server that adds index.html to a folder, and may read no other file. */
const isFromDisk = location.protocol === 'file:';

function nameFolders(): void {
  for (const link of document.querySelectorAll('a[href]')) {
    const [, folder, rest] = /^([^?#:]*\/)([?#].*)?$/.exec(link.getAttribute('href') ?? '') ?? [];
    if (folder !== undefined) link.setAttribute('href', `${folder}index.html${rest ?? ''}`);
  }
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `3 days ago`; the dates are beside it. */
function formatAge(iso: string, now: number): string {
  const past = now - Date.parse(iso);
  const [unit, length] = units.find(([, unit]) => past >= unit) ?? ['minute', 60_000];
  const count = Math.floor(past / length);
  return count < 1 ? 'just now' : `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

function showAges(): void {
  for (const pageElement of document.querySelectorAll('time[data-age]')) {
    const age = document.createElement('span');
    age.className = 'age';
    age.textContent = `, ${formatAge(pageElement.getAttribute('datetime') ?? '', Date.now())}`;
    pageElement.append(age);
  }
}

type Index = {
  readonly targets: readonly {
    readonly slug: string;
    readonly runs: readonly { readonly id: string; readonly startedAt: string; readonly verdict: string }[];
  }[];
};

async function showNewerRun(target: string, run: string): Promise<void> {
  const { targets }: Index = await read('api/index.json');
  const newest = targets.find(({ slug }) => slug === target)?.runs.at(-1);
  const place = document.querySelector('.newer');
  if (!newest || newest.id === run || !place) return;
  place.innerHTML =
    markup`A newer result exists: <a href="${root}t/${target}/runs/${newest.id}/">${newest.startedAt.slice(0, 10)}, ${newest.verdict}</a>.`.source;
  place.hidden = false;
}

async function read<T>(path: string): Promise<T> {
  const response = await fetch(`${root}${path}`);
  if (!response.ok) throw new Error(`${path} is not there (${response.status})`);
  return (await response.json()) as T;
}

const named = /^([a-z0-9][a-z0-9._-]*)\/([0-9a-f]{16})$/;

async function readSide(name: string): Promise<Side> {
  const [, slug = '', id = ''] = named.exec(name) ?? [];
  if (id === '') throw new Error(`"${name}" names no run`);
  return { slug, id, run: await read(`t/${slug}/runs/${id}/run.json`) };
}

async function compare(): Promise<void> {
  const place = document.querySelector('#difference');
  const requested = new URLSearchParams(location.search);
  const [a, b] = [requested.get('a'), requested.get('b')];
  if (!place || a === null || b === null) return;
  for (const [name, value] of [
    ['a', a],
    ['b', b],
  ]) {
    const select = document.querySelector(`select[name=${name}]`);
    if (select && value !== undefined) select.value = value;
  }
  try {
    if (isFromDisk)
      throw new Error('a browser reads no run from a disk; serve the folder over HTTP for that');
    const [before, after] = await Promise.all([readSide(a), readSide(b)]);
    place.innerHTML =
      markup`<p class="sentence">${sidesLine(before, after, root)}</p>${differencePart(before, after, root)}`.source;
  } catch (error) {
    place.textContent = `They cannot be compared: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** Fewest rows for which a search is offered. */
const fewestRows = 8;

/** Adds a search field to the rows of the page: rows without the typed words are hidden. */
function offerSearch(): void {
  const rows = [
    ...document.querySelectorAll(
      '.matrix tbody + tbody tr, #named li, section:not([id]) > .change-list > li',
    ),
  ];
  const [place] = document.querySelectorAll('#named > ul, main > .side, main > section:not([id])');
  if (rows.length < fewestRows || !place) return;
  const label = document.createElement('label');
  label.className = 'search';
  label.append('Search these rows');
  const field = document.createElement('input');
  field.setAttribute('type', 'search');
  label.append(field);
  place.before(label);
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = (row.textContent ?? '').toLowerCase();
      row.toggleAttribute('data-search-off', !words.every((word) => text.includes(word)));
    }
  });
}

function offerCopies(): void {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll('[data-copy]')) {
    const text = document.querySelector(`#${button.dataset.copy}`);
    button.hidden = false;
    button.addEventListener('click', () => void navigator.clipboard?.writeText(text?.textContent ?? ''));
  }
  for (const command of document.querySelectorAll('pre.command, .command')) {
    const button = document.createElement('button');
    button.className = 'copy';
    button.setAttribute('type', 'button');
    button.append('Copy');
    button.addEventListener('click', () => {
      void navigator.clipboard?.writeText(command.textContent ?? '').then(
        () => (button.textContent = 'Copied'),
        () => (button.textContent = 'Not copied: select the text instead'),
      );
    });
    command.after(button);
  }
}

const { target, run, page } = document.body.dataset;
showAges();
offerSearch();
offerCopies();
if (isFromDisk) nameFolders();
if (page === 'compare') void compare();
if (target !== undefined && run !== undefined && !isFromDisk)
  void showNewerRun(target, run).catch(() => undefined);

/** The parts of a browser's page that the script uses; complete DOM types would be visible in every file. */
export type PageElement = {
  hidden: boolean;
  innerHTML: string;
  value: string;
  textContent: string | null;
  readonly dataset: Readonly<Record<string, string | undefined>>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  toggleAttribute(name: string, isSet: boolean): void;
  append(text: PageElement | string): void;
  before(element: PageElement): void;
  after(element: PageElement): void;
  addEventListener(name: 'input' | 'click', listener: () => void): void;
};

export type PageDocument = {
  readonly body: PageElement;
  readonly currentScript: { readonly src: string } | null;
  createElement(name: string): PageElement & { className: string };
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
};
