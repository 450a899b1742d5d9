import type { JudgedClientRule, PlayedScenario, Rehearsal } from '../../rehearse/rehearsal.ts';
import { secondsBetween } from '../words/instant.ts';
import { type Markup, markup } from '../words/markup.ts';
import { describeFinding } from './rehearsal-text.ts';

/**
 * A rehearsal as JUnit XML 1.0: a suite for each scenario, with a case for each rule and expectation. An inconclusive
 * scenario has one case more, skipped where a flag is wanting, else with an error: a client that nobody could judge must
 * not look green.
 */
export function renderRehearsalJunit(rehearsal: Rehearsal): string {
  const suites = rehearsal.scenarios.map((scenario) => ({ scenario, cases: listCases(scenario) }));
  const seconds = secondsBetween(rehearsal.startedAt, rehearsal.finishedAt) ?? 0;
  const { source } = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="candleproof rehearse" ${countCases(suites.flatMap(({ cases }) => cases))} time="${seconds}">
${suites.map(
  ({
    scenario,
    cases,
  }) => markup`<testsuite name="${scenario.id}" ${countCases(cases)} time="${(scenario.client.at / 1000).toFixed(3)}">
${cases.map(caseMarkup)}</testsuite>
`,
)}</testsuites>
`;
  return source;
}

type Case = {
  readonly group: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'error';
  readonly type: string;
  readonly message: string;
};

function listCases(scenario: PlayedScenario): Case[] {
  const { verdict, reason, unasked, rules, expectations } = scenario;
  const open: Case = {
    group: 'scenario',
    name: 'verdict',
    outcome: unasked ? 'skipped' : 'error',
    type: 'inconclusive',
    message: reason,
  };
  return [
    ...(verdict === 'inconclusive' ? [open] : []),
    ...rules.map((rule) => ruleCase(scenario, rule)),
    ...expectations.map(
      ({ what, outcome, actual }): Case => ({
        group: 'expect',
        name: what,
        outcome: outcome === 'unexercised' ? 'skipped' : outcome,
        type: 'expect',
        message: actual,
      }),
    ),
  ];
}

function ruleCase(
  scenario: PlayedScenario,
  { id, level, statement, outcome, reason }: JudgedClientRule,
): Case {
  const finding = scenario.findings.find(({ rule }) => rule === id);
  return {
    group: 'client',
    name: `${id.replace(/^client\//, '')}: ${statement}`,
    outcome: outcome === 'unexercised' ? 'skipped' : outcome,
    type: level,
    message: finding ? describeFinding(scenario, finding) : (reason ?? ''),
  };
}

function countCases(cases: readonly Case[]): Markup {
  const count = (outcome: Case['outcome']): number =>
    cases.filter((testCase) => testCase.outcome === outcome).length;
  return markup`tests="${cases.length}" failures="${count('failed')}" errors="${count('error')}" skipped="${count('skipped')}"`;
}

function caseMarkup({ group, name, outcome, type, message }: Case): Markup {
  const result = {
    passed: undefined,
    failed: markup`<failure type="${type}" message="${message}"/>`,
    skipped: markup`<skipped message="${message}"/>`,
    error: markup`<error type="${type}" message="${message}"/>`,
  }[outcome];
  return markup`<testcase classname="${group}" name="${name}">${result}</testcase>\n`;
}
