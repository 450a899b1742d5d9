import { thousands } from '@candleproof/law/reading/words';
import { banner, factsLine, mark } from '@candleproof/reports/run/marks';
import { contentLinks, page } from '@candleproof/reports/run/page';
import { nameCell, numberCell, proseTableStyles, wideTable } from '@candleproof/reports/run/table';
import { clip } from '@candleproof/reports/words/escape';
import { formatInstant, plural } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { outcomeWords } from '@candleproof/reports/words/wording';
import type { ClientFinding, PlayedScenario, Rehearsal, ReportedExchange } from '../rehearsal.ts';
import { describeEnd, titleRehearsal } from './rehearsal-text.ts';
import { timeline, timelineStyles } from './timeline.ts';

/** Exchanges that a scenario's table shows, beside those that findings name. */
const mostShown = 60;
const longestTarget = 200;
const longestStderr = 2000;

/** A scenario that decided nothing is dashed like an unexercised rule. */
const outcomes = { conformant: 'passed', nonconformant: 'failed', inconclusive: 'unexercised' } as const;
const words = { conformant: 'passed', nonconformant: 'failed', inconclusive: 'not decided' } as const;

/** Failures first, then undecided scenarios. */
const order = ['nonconformant', 'inconclusive', 'conformant'];

/** Renders a rehearsal as one HTML file: no script, no external request, every text of the client escaped. */
export function rehearsalPage(rehearsal: Rehearsal): string {
  const { command } = rehearsal;
  const value = { ...rehearsal, scenarios: rehearsal.scenarios.map(({ exchanges: _, ...rest }) => rest) };
  const scenarios = rehearsal.scenarios.toSorted(
    (a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict),
  );
  return page({
    title: `${titleRehearsal(rehearsal)}: ${command.join(' ')} · Candleproof`,
    kind: 'rehearsal',
    contents: contentLinks([
      ['#scenarios', scenarios.length, scenarios.length === 1 ? 'scenario' : 'scenarios'],
      ['#method', undefined, 'Method'],
    ]),
    header: header(rehearsal),
    main: markup`${overview(scenarios)}${scenarios.map(scenarioSection)}${method(rehearsal)}`,
    embedded: { id: 'rehearsal', value },
    moreStyles: proseTableStyles + timelineStyles + rehearsalStyles,
  });
}

const rehearsalStyles = `
.client-findings { list-style: none; padding: 0; } .client-findings li { margin-top: var(--s3); padding: var(--s2) var(--s3); border-left: .3rem solid var(--warn); background: var(--sheet); }
.client-findings .must { border-left-color: var(--fail); } .stderr { white-space: pre-wrap; overflow-x: auto; } .dated { color: var(--soft); }
@media (max-width: 34rem) { .wide :is(th, td) code { display: inline-block; min-width: 11rem; } .wide :is(th, td) { white-space: normal; } }
`;

function header(rehearsal: Rehearsal): Markup {
  const { verdict, reason, command, scenarios, startedAt } = rehearsal;
  const requests = scenarios.reduce((sum, scenario) => sum + scenario.requests, 0);
  const facts = [
    markup`<code>${command.join(' ')}</code>`,
    markup`<time datetime="${startedAt}">${formatInstant(startedAt)}</time>`,
    countScenarios(scenarios),
    plural(requests, 'request'),
  ];
  return markup`<header class="page-head">${banner(verdict, titleRehearsal(rehearsal), firstFailure(scenarios) ?? reason, factsLine(facts))}</header>`;
}

/** `rate-limited: expected no request for 2 s after the 429, found a request 0.05 s after it` */
function firstFailure(scenarios: readonly PlayedScenario[]): string | undefined {
  for (const { id, findings } of scenarios.filter((scenario) => scenario.verdict === 'nonconformant')) {
    const [finding] = findings.toSorted((a, b) => a.level.localeCompare(b.level));
    if (finding) return `${id}: expected ${finding.expected}, found ${finding.actual}`;
  }
  return undefined;
}

/** `1 of 2 decided scenarios failed, 1 of 3 not decided` */
function countScenarios(scenarios: readonly PlayedScenario[]): string {
  const [failed, open] = (['nonconformant', 'inconclusive'] as const).map(
    (verdict) => scenarios.filter((scenario) => scenario.verdict === verdict).length,
  ) as [number, number];
  return `${failed} of ${plural(scenarios.length - open, 'decided scenario')} failed, ${open} of ${scenarios.length} not decided`;
}

function overview(scenarios: readonly PlayedScenario[]): Markup {
  return markup`<section id="scenarios"><h2>Scenarios</h2>
<table><caption class="visually-hidden">Scenarios</caption><thead><tr><th scope="col" class="outcome">Outcome</th><th scope="col">Scenario</th><th scope="col">Why</th><th scope="col" class="outcome">Sent</th></tr></thead>
<tbody>${scenarios.map(({ id, title, verdict, reason, requests }) => markup`<tr><td class="outcome">${mark(outcomes[verdict])} ${words[verdict]}</td><td class="wide"><a href="#scenario-${id}">${id}</a> ${title}</td><td class="wide">${reason}</td><td>${plural(requests, 'request')}</td></tr>`)}</tbody></table></section>`;
}

function scenarioSection(scenario: PlayedScenario): Markup {
  const { id, title, verdict, reason, client, requests, expectations, observations, files } = scenario;
  return markup`<section aria-labelledby="scenario-${id}-title"><details class="folded"${verdict === 'nonconformant' && ' open'}><summary>${mark(outcomes[verdict])} <h2 id="scenario-${id}-title">${id}</h2> ${words[verdict]}</summary><div id="scenario-${id}">
<p>${title}. ${plural(requests, 'request')}; the client ${client.how === 'cut' && 'was '}${describeEnd(client)}. <b>${words[verdict]}</b>: ${reason}.</p>
${client.stderr !== undefined && markup`<pre class="stderr">${clip(client.stderr, longestStderr)}</pre>`}
${findings(scenario)}
<ul class="facts">${expectations.map((expectation) => markup`<li>${mark(expectation.outcome)} expected <code>${expectation.what}</code>: ${outcomeWords[expectation.outcome]}, ${expectation.actual}</li>`)}
${observations.map((observation) => markup`<li>${observation.question} ${observation.answer}</li>`)}
${files && markup`<li>What it printed: <code>${files.stdout}</code>, <code>${files.stderr}</code></li>`}</ul>
${scenario.exchanges.length > 0 && timeline(scenario)}
${rules(scenario)}
${exchangeTable(scenario)}</div></details></section>`;
}

function findings(scenario: PlayedScenario): Markup | false {
  if (scenario.findings.length === 0) return false;
  return markup`<ol class="client-findings">${scenario.findings.map((finding) => findingItem(scenario, finding))}</ol>`;
}

function findingItem({ rules, exchanges }: PlayedScenario, finding: ClientFinding): Markup {
  const { rule, level, count, expected, actual, exchange, since } = finding;
  const known = rules.find(({ id }) => id === rule);
  const shown = (number: number | undefined) =>
    exchanges.find((reportedExchange) => reportedExchange.number === number);
  return markup`<li class="${level}"><p>${mark('failed')} <b>${level}</b> <code>${rule}</code> ${plural(count, 'time')}</p>
<p>${known?.statement} <span class="dated">${known?.why}</span></p>
<p>Expected ${expected}; found ${actual}.</p>
${since !== undefined && markup`<p class="dated">After ${describeExchange(shown(since), since)}</p>`}<p class="dated">${describeExchange(shown(exchange), exchange)}</p></li>`;
}

function describeExchange(exchange: ReportedExchange | undefined, number: number): Markup {
  if (!exchange) return markup`#${number}`;
  const { method, target, status, arrived } = exchange;
  return markup`#${number} at ${(arrived / 1000).toFixed(2)} s: <code>${method} ${clip(target, longestTarget)}</code> answered ${status}`;
}

function rules({ id, rules: all }: PlayedScenario): Markup {
  const rows = all.map(({ id: rule, level, statement, outcome, reason, evidence }) => [
    nameCell(markup`<code>${rule}</code>`),
    level,
    statement,
    markup`${mark(outcome)} ${outcomeWords[outcome]}${reason !== undefined && `: ${reason}`}`,
    numberCell(thousands(evidence)),
  ]);
  return wideTable({
    caption: `Rules in ${id}`,
    heads: ['Rule', 'Level', 'Statement', 'Outcome', 'Judged'],
    numbersFrom: 4,
    rows,
  });
}

function exchangeTable({ id, exchanges, requests, findings: all }: PlayedScenario): Markup | false {
  if (exchanges.length === 0) return false;
  const named = new Set(all.flatMap(({ exchange, since }) => [exchange, since ?? exchange]));
  const shown = exchanges.filter(({ number }, at) => at < mostShown || named.has(number));
  const rows = shown.map(({ number, connection, method, target, arrived, ended, status, answer }) => [
    nameCell(`#${number}`),
    `${(arrived / 1000).toFixed(2)} s`,
    String(connection),
    markup`<code>${method} ${clip(target, longestTarget)}</code>`,
    String(status),
    numberCell(ended === undefined ? 'broke off' : `${(ended - arrived).toFixed(0)} ms`),
    numberCell(thousands(answer.bytes)),
  ]);
  return markup`<details><summary>${plural(shown.length, 'exchange')}${shown.length < requests && ` of ${thousands(requests)}`}</summary>
${wideTable({ caption: `Exchanges in ${id}`, heads: ['Number', 'Came at', 'Connection', 'Request', 'Status', 'Took', 'Bytes'], numbersFrom: 5, rows })}</details>`;
}

function method({ forMs, noOverage, http, seed, versions }: Rehearsal): Markup {
  return markup`<section id="method"><h2>Method</h2><ul class="facts"><li>Each scenario had a service of its own, and the client anew, for ${forMs / 1000} s at most; times are since the client was started.</li>
<li>A rule that nothing put to the test is not tested, never passed. For wrong data, state with <code>--expect</code> what the client must do.</li>
<li>Overage ${noOverage ? 'was not allowed' : 'was allowed'}; ${http ? 'plain HTTP on loopback' : 'HTTPS on loopback'}; seed ${seed}.</li><li>Candleproof ${versions.candleproof}</li></ul></section>`;
}
