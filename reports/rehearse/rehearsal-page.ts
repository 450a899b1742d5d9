import { thousands } from '../../contract/reading/thousands.ts';
import type { ClientFinding, PlayedScenario, Rehearsal, ReportedExchange } from '../../rehearse/rehearsal.ts';
import { mark } from '../run/marks.ts';
import { page } from '../run/page.ts';
import { proseTableStyles, wideTable } from '../run/table.ts';
import { clip } from '../words/escape.ts';
import { formatInstant } from '../words/instant.ts';
import { type Markup, markup } from '../words/markup.ts';
import { plural } from '../words/tally.ts';
import { describeEnd, verdictTitles } from './rehearsal-text.ts';
import { timeline, timelineStyles } from './timeline.ts';

/** Exchanges that a scenario's table shows, beside those that findings name. */
const mostShown = 60;
const longestTarget = 200;
const longestStderr = 2000;

const outcomes = { conformant: 'passed', nonconformant: 'failed', inconclusive: 'inconclusive' } as const;

/** A rehearsal as one HTML file: no script, no request to anywhere, every text of the client's escaped. */
export function rehearsalPage(rehearsal: Rehearsal): string {
  const { verdict, command, scenarios } = rehearsal;
  const value = { ...rehearsal, scenarios: scenarios.map(({ exchanges: _, ...rest }) => rest) };
  return page({
    title: `${verdictTitles[verdict]}: ${command.join(' ')} · Candleproof`,
    header: header(rehearsal),
    main: markup`${overview(scenarios)}${scenarios.map(scenarioSection)}${method(rehearsal)}`,
    embedded: { id: 'rehearsal', value },
    moreStyles: proseTableStyles + timelineStyles + rehearsalStyles,
  });
}

const rehearsalStyles = `
.client-findings { list-style: none; padding: 0; } .client-findings li { margin-top: .8rem; padding: .6rem .8rem; border-left: .3rem solid var(--warn); background: var(--sheet); }
.client-findings .must { border-left-color: var(--fail); } .stderr { white-space: pre-wrap; overflow-x: auto; } .dated { color: var(--soft); }
@media (max-width: 34rem) { .wide :is(th, td) code { display: inline-block; min-width: 11rem; } .wide :is(th, td) { white-space: normal; } }
`;

function header({ verdict, reason, command, scenarios, startedAt }: Rehearsal): Markup {
  const requests = scenarios.reduce((sum, each) => sum + each.requests, 0);
  const well = scenarios.filter((each) => each.verdict === 'conformant').length;
  const broken = new Set(scenarios.flatMap(({ findings }) => findings.map(({ rule }) => rule))).size;
  return markup`<header class="page-head"><div class="banner ${verdict}">${mark(outcomes[verdict])}
<div><p class="brand">Candleproof rehearsal</p><h1>${verdictTitles[verdict]}</h1>
<p class="sentence">${reason}.</p>
<p class="target"><code>${command.join(' ')}</code> <time datetime="${startedAt}">${formatInstant(startedAt)}</time></p></div></div>
<div class="tiles"><section class="tile"><h2>Scenarios</h2><p class="large">${well} <small>of ${scenarios.length} passed</small></p></section>
<section class="tile"><h2>Rules broken</h2><p class="large">${broken}</p></section>
<section class="tile"><h2>Requests</h2><p class="large">${thousands(requests)}</p></section></div></header>`;
}

function overview(scenarios: readonly PlayedScenario[]): Markup {
  const rows = scenarios.map(({ id, title, verdict, reason, requests }) => [
    { value: markup`<a href="#scenario-${id}">${id}</a>`, is: 'name' as const },
    markup`${mark(outcomes[verdict])} ${verdict}`,
    title,
    reason,
    { value: thousands(requests), is: 'number' as const },
  ]);
  return markup`<section id="scenarios"><h2>Scenarios</h2>
${wideTable({ caption: 'Scenarios', heads: ['Scenario', 'Verdict', 'What was played', 'Why', 'Requests'], numbersFrom: 4, rows })}</section>`;
}

function scenarioSection(scenario: PlayedScenario): Markup {
  const { id, title, verdict, reason, client, requests, expectations, observations, files } = scenario;
  return markup`<section id="scenario-${id}"><h2>${mark(outcomes[verdict])} ${id}</h2>
<p>${title}. ${plural(requests, 'request')}; the client ${client.how === 'cut' && 'was '}${describeEnd(client)}. <b>${verdict}</b>: ${reason}.</p>
${client.stderr !== undefined && markup`<pre class="stderr">${clip(client.stderr, longestStderr)}</pre>`}
${findings(scenario)}
<ul class="facts">${expectations.map((each) => markup`<li>${mark(each.outcome)} expected <code>${each.what}</code>: ${each.outcome}, ${each.actual}</li>`)}
${observations.map((each) => markup`<li>${each.question} ${each.answer}</li>`)}
${files && markup`<li>What it printed: <code>${files.stdout}</code>, <code>${files.stderr}</code></li>`}</ul>
${scenario.exchanges.length > 0 && timeline(scenario)}
${rules(scenario)}
${exchangeTable(scenario)}</section>`;
}

function findings(scenario: PlayedScenario): Markup | false {
  if (scenario.findings.length === 0) return false;
  return markup`<ol class="client-findings">${scenario.findings.map((each) => findingItem(scenario, each))}</ol>`;
}

function findingItem({ rules, exchanges }: PlayedScenario, finding: ClientFinding): Markup {
  const { rule, level, count, expected, actual, exchange, since } = finding;
  const known = rules.find(({ id }) => id === rule);
  const shown = (number: number | undefined) => exchanges.find((each) => each.number === number);
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
    { value: markup`<code>${rule}</code>`, is: 'name' as const },
    level,
    statement,
    markup`${mark(outcome)} ${outcome}${reason !== undefined && `: ${reason}`}`,
    { value: thousands(evidence), is: 'number' as const },
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
    { value: `#${number}`, is: 'name' as const },
    `${(arrived / 1000).toFixed(2)} s`,
    String(connection),
    markup`<code>${method} ${clip(target, longestTarget)}</code>`,
    String(status),
    {
      value: ended === undefined ? 'broke off' : `${(ended - arrived).toFixed(0)} ms`,
      is: 'number' as const,
    },
    { value: thousands(answer.bytes), is: 'number' as const },
  ]);
  return markup`<details><summary>${plural(shown.length, 'exchange')}${shown.length < requests && ` of ${thousands(requests)}`}</summary>
${wideTable({ caption: `Exchanges in ${id}`, heads: ['Number', 'Came at', 'Connection', 'Request', 'Status', 'Took', 'Bytes'], numbersFrom: 5, rows })}</details>`;
}

function method({ forMs, noOverage, http, seed, versions }: Rehearsal): Markup {
  return markup`<section id="method"><h2>Method</h2><ul class="facts"><li>Each scenario had a service of its own, and the client anew, for ${forMs / 1000} s at most; times are since the client was started.</li>
<li>A rule that nothing put to the test is unexercised, never passed. Wrong data decides nothing without an expectation.</li>
<li>Overage ${noOverage ? 'was not allowed' : 'was allowed'}; ${http ? 'plain HTTP on loopback' : 'HTTPS on loopback'}; seed ${seed}.</li><li>Candleproof ${versions.candleproof}</li></ul></section>`;
}
