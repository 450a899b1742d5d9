import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import ts from 'typescript';

/** CANDLEPROOF_FOLDER=http/ judges one folder alone. */
const only = process.env.CANDLEPROOF_FOLDER ?? '';
let sources: readonly ts.SourceFile[] = [];

test.beforeAll(() => {
  sources = execFileSync('git', ['ls-files', '*.ts', '*.js', '*.mjs'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => file.startsWith(only))
    .map((file) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
});

test('no comment opens with a word that hides its verb', () => {
  const opening = /^(What|Who(?:se|m|ev[e]r)?|Of|So many|How|Whether|Where)\b/;
  const found = sources.flatMap((source) =>
    listComments(source)
      .filter(({ text }) => opening.test(text))
      .map(({ position, text }) => `${formatPlace(source, position)}: ${text.slice(0, 80)}`),
  );
  expect(found).toEqual([]);
});

test('every exported function and class has a doc comment', () => {
  const found = sources.flatMap((source) =>
    source.statements
      .filter((statement) => isExportedCode(statement) && !hasDocComment(source, statement))
      .map((statement) => `${formatPlace(source, statement.getStart())}: ${nameStatement(statement)}`),
  );
  expect([...new Set(found)]).toEqual([]);
});

test('at most three functions of a hundred end in a preposition', () => {
  const functions = sources.flatMap(listFunctions);
  const found = functions.filter(({ name }) => /(Of|In|At)$/.test(name));
  if (found.length <= functions.length * 0.03) return;
  expect(found.map(({ place, name }) => `${place}: ${name}`)).toEqual([]);
});

/** Returns `file:line` of a position. */
function formatPlace(source: ts.SourceFile, position: number): string {
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(position).line + 1}`;
}

/** Returns the comments of a file; consecutive line comments count as one. */
function listComments(source: ts.SourceFile): { position: number; text: string }[] {
  const ranges = new Map<number, ts.CommentRange>();
  const marks = [...source.text.matchAll(/\/[/*]/g)].map(({ index }) => index);
  const visit = (node: ts.Node): void => {
    // Most nodes have no comment in them or beside them.
    const last = source.text.indexOf('\n', node.getEnd());
    const next = marks.find((mark) => mark >= node.getFullStart());
    if (next === undefined || (last !== -1 && next > last)) return;
    const before = ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [];
    const after = ts.getTrailingCommentRanges(source.text, node.getEnd()) ?? [];
    // Inside a template or JSX text such a range is text.
    if (!ts.isTemplateMiddleOrTemplateTail(node) && node.kind !== ts.SyntaxKind.TemplateHead)
      for (const range of [...before, ...after]) ranges.set(range.pos, range);
    for (const child of node.getChildren(source)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(source);
  const sorted = [...ranges.values()].toSorted((left, right) => left.pos - right.pos);
  return sorted
    .filter((range, index) => !continuesLineComment(source.text, sorted[index - 1], range))
    .map(({ pos, end }) => ({
      position: pos,
      text: source.text.slice(pos, end).replace(/^\/[/*]+[\s*]*/, ''),
    }));
}

function continuesLineComment(text: string, previous: ts.CommentRange | undefined, range: ts.CommentRange) {
  const kind = ts.SyntaxKind.SingleLineCommentTrivia;
  if (previous?.kind !== kind || range.kind !== kind) return false;
  return /^\n[ \t]*$/.test(text.slice(previous.end, range.pos));
}

function isExportedCode(statement: ts.Statement): boolean {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!isExported) return false;
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return true;
  return (
    ts.isVariableStatement(statement) &&
    statement.declarationList.declarations.some(({ initializer }) => isFunctionValue(initializer))
  );
}

/** Returns whether a statement has a doc comment; of overloads, the first one carries it. */
function hasDocComment(source: ts.SourceFile, statement: ts.Statement): boolean {
  if (ts.getJSDocCommentsAndTags(statement).some(ts.isJSDoc)) return true;
  const previous = source.statements[source.statements.indexOf(statement) - 1];
  if (!previous || !ts.isFunctionDeclaration(statement) || !ts.isFunctionDeclaration(previous)) return false;
  return previous.name?.text === statement.name?.text && hasDocComment(source, previous);
}

function nameStatement(statement: ts.Statement): string {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations[0]?.name.getText() ?? '';
  return (statement as ts.FunctionDeclaration | ts.ClassDeclaration).name?.text ?? 'default';
}

/** Returns the named functions of a file: declarations, methods, and variables and properties that hold one. */
function listFunctions(source: ts.SourceFile): { name: string; place: string }[] {
  const functions: { name: string; place: string }[] = [];
  const visit = (node: ts.Node): void => {
    const name = functionName(node);
    if (name) functions.push({ name, place: formatPlace(source, node.getStart()) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return functions;
}

function functionName(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText();
  if (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node))
    return isFunctionValue(node.initializer) ? node.name.getText() : undefined;
}

function isFunctionValue(value: ts.Expression | undefined): boolean {
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
}
