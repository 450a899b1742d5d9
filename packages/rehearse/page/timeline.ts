import { region } from '@candleproof/reports/run/table';
import { type Markup, markup, unit } from '@candleproof/reports/words/markup';
import type { PlayedScenario, ReportedExchange } from '../rehearsal.ts';

const size = { width: 800, left: 8, right: 8, top: 20, row: 9, bottom: 24 };
/** Connections that get a separate row; later ones share the last. */
const mostRows = 12;

/** Draws when requests came and how they were answered, a row for each connection; the trouble is shaded. */
export function timeline({ id, exchanges, client, trouble }: PlayedScenario): Markup {
  const rows = Math.min(mostRows, new Set(exchanges.map(({ connection }) => connection)).size);
  const height = size.top + Math.max(1, rows) * size.row + size.bottom;
  const end = Math.max(client.at, ...exchanges.map((exchange) => exchange.ended ?? exchange.arrived), 1);
  const x = (ms: number): number =>
    size.left + (Math.min(ms, end) / end) * (size.width - size.left - size.right);
  const floor = height - size.bottom;
  const shade =
    trouble &&
    markup`<rect class="trouble" x="${unit(x(trouble.began))}" y="${size.top - 4}" width="${unit(Math.max(1, x(trouble.ended ?? end) - x(trouble.began)))}" height="${floor - size.top + 8}"/><text x="${unit(x(trouble.began))}" y="12">trouble</text>`;
  const ticks = listSeconds(end).map(
    (second) =>
      markup`<line class="axis" x1="${unit(x(second * 1000))}" y1="${floor + 2}" x2="${unit(x(second * 1000))}" y2="${floor + 6}"/><text x="${unit(x(second * 1000))}" y="${height - 4}" text-anchor="middle">${second} s</text>`,
  );
  const marks = exchanges.map((exchange) =>
    mark(exchange, x, size.top + ((exchange.connection - 1) % mostRows) * size.row),
  );
  return markup`<figure class="timeline">${region(`Timeline of ${id}`, markup`<svg viewBox="0 0 ${size.width} ${height}" role="img" aria-label="Requests of ${id} over time, by connection">${shade}${marks}<line class="axis" x1="${size.left}" y1="${floor + 2}" x2="${size.width - size.right}" y2="${floor + 2}"/>${ticks}</svg>`)}
<figcaption>Each mark is a request with its answer, a row for each connection: <b class="key-good">good</b>, <b class="key-refused">refused (4xx)</b>, <b class="key-error">server error or none</b>. The table below says the same in words.</figcaption></figure>`;
}

function mark(
  { arrived, ended, status, number }: ReportedExchange,
  x: (ms: number) => number,
  y: number,
): Markup {
  const width = Math.max(2.5, x(ended ?? arrived) - x(arrived));
  return markup`<rect class="${markClass(status, ended)}" x="${unit(x(arrived))}" y="${y}" width="${unit(width)}" height="${size.row - 2}"><title>#${number}: ${status}</title></rect>`;
}

function markClass(status: number, ended: number | undefined): 'good' | 'refused' | 'error' {
  if (ended === undefined || status >= 500) return 'error';
  return status >= 400 ? 'refused' : 'good';
}

function listSeconds(ms: number): number[] {
  const seconds = Math.floor(ms / 1000);
  const step = [1, 2, 5, 10, 30, 60, 300, 600, 3600].find((step) => seconds / step <= 8) ?? 3600;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, at) => at * step);
}

export const timelineStyles = `
figure.timeline { display: block; margin-top: var(--s3); } .timeline svg { display: block; width: 100%; max-width: none; height: auto; } .timeline text { font-size: 12px; fill: var(--soft); }
.timeline .good { fill: var(--pass); } .timeline .refused { fill: url(#hatch); } .timeline .error { fill: var(--bad); }
.timeline .trouble { fill: var(--wash); stroke: var(--line); } .timeline .axis { stroke: var(--soft); }
.timeline figcaption { font-size: var(--sm); color: var(--soft); } .key-good { color: var(--pass); } .key-refused { color: var(--warn); } .key-error { color: var(--fail); }
.timeline svg { min-width: 46rem; } @media print { .timeline svg { min-width: 0; } .timeline text { font-size: 14px; } }
`;
