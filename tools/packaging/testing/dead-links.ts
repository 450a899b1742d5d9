import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Returns the relative links of the packed pages that lead to no packed file or folder, or to no heading. */
export function listDeadLinks(packed: readonly string[]): string[] {
  const known = new Set(packed);
  const leadsTo = (place: string): boolean =>
    known.has(place) || packed.some((file) => file.startsWith(`${place}/`));
  return packed
    .filter((file) => /\.md$|^llms\.txt$/.test(file))
    .flatMap((page) =>
      listLinks(page).flatMap(([, to = '', heading]) => {
        const place = to === '' ? page : normalize(join(dirname(page), to)).replace(/\/$/, '');
        if (!leadsTo(place)) return [`${page}: ${to}`];
        return heading === undefined || listHeadings(place).includes(heading)
          ? []
          : [`${page}: ${to}#${heading}`];
      }),
    );
}

function listLinks(page: string): RegExpExecArray[] {
  return [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
}

/** Returns the anchors that a page's headings get on GitHub. */
function listHeadings(page: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```.*?^```/gms, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
