import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import ts from 'typescript';

/** Files that match or edit the text of an error, each with the reason why that text is not ours, or is only laid out. */
const allowed: Readonly<Record<string, string>> = {
  'packages/postgres/postgres-database.ts':
    'Node names the module that is not installed in its message alone',
  'packages/postgres/trouble.ts':
    'the driver of PostgreSQL gives no code where a connection is refused or lost',
  'packages/client/har/foreign-entry.ts':
    'other recorders tell a failure in the words of their browser or library',
  'packages/document/spec/bounded-schema.ts':
    'the compiler of JSON Schema writes an object of the document as [object Object]',
  'packages/document/spec/linear-pattern.ts':
    'the engine of regular expressions puts its name before its message',
  'packages/document/spec/spec-file.ts': 'lays the message of the YAML parser out in one line',
  'packages/document/spec/spec-lint.ts': 'lays the message of a linter out in one line',
  'packages/check/forms/form-file.ts': 'lays the message of the YAML parser out in one line',
  'packages/check/target/accepted-spec.ts':
    'Node names the module that is not installed in its message alone',
};

const methods = [
  'includes',
  'startsWith',
  'endsWith',
  'match',
  'matchAll',
  'search',
  'replace',
  'replaceAll',
];

/** Returns whether an expression is the text of a reason or an error, by its name. */
function isReasonText(node: ts.Node | undefined): boolean {
  if (!node) return false;
  if (ts.isPropertyAccessExpression(node)) return ['message', 'reason'].includes(node.name.text);
  return ts.isIdentifier(node) && ['message', 'reason'].includes(node.text);
}

/** Returns whether a call searches such a text: by a regular expression, or by a method of strings. */
function isMatch(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression } = node.expression;
  if (['test', 'exec'].includes(name.text)) return isReasonText(node.arguments[0]);
  return methods.includes(name.text) && isReasonText(expression);
}

function findMatches(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isMatch(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${file}:${line + 1}: ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const files = globSync('*/**/*.ts', { exclude: (name) => /^(node_modules|dist|test-results)$/.test(name) })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.(test|spec|d)\.ts$/.test(file) && !/(^|\/)(testing|node_modules|dist)\//.test(file));

test('no text of a reason or an error of ours is matched elsewhere', () => {
  const matches = files.filter((file) => !Object.hasOwn(allowed, file)).flatMap(findMatches);
  expect(matches).toEqual([]);
});

test('every file that may match the text of an error still does', () => {
  const idle = Object.keys(allowed).filter((file) => findMatches(file).length === 0);
  expect(idle).toEqual([]);
});
