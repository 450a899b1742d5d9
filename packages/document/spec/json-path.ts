import { JSONPathJS } from 'jsonpath-js';
import { isContainer, isMap, Misplaced, readMember } from './place.ts';
import type { ReadingBudget } from './reading-budget.ts';

/** A node of the document, in the container that holds it; the root has none. */
export type Selected = { readonly around?: object; readonly name: string; readonly value: unknown };

type Query = JSONPathJS['rootNode'];
type Segment = Query['segments'][number];
type Selector = Extract<Segment, readonly unknown[]>[number];
type Slice = Extract<Selector, { type: 'SliceSelector' }>;
type Test = Extract<Selector, { type: 'FilterSelector' }>['expr'];
type Comparison = Extract<Test, { type: 'ComparisonExpr' }>;
type Compared = Comparison['left'];
type Argument = Extract<Compared, { type: 'FunctionExpr' }>['args'][number];
type FilterQuery = Exclude<Extract<Test, { type: 'TestExpr' }>['query'], { type: 'FunctionExpr' }>;

/** The parser recurses. */
const longest = 2000;

/**
 * Returns the nodes that a JSONPath matches, each once, in the document's order. The library parses expressions; its
 * evaluation takes memory and time without a bound.
 * @throws Misplaced, at the budget's place, for an expression that cannot be used
 */
export function findNodes(root: unknown, expression: string, budget: ReadingBudget): Selected[] {
  return new Finder(root, budget).follow(parse(expression, budget).segments, { name: '', value: root });
}

function parse(expression: string, budget: ReadingBudget): Query {
  if (expression.length > longest)
    throw new Misplaced(budget.place, `a JSONPath takes ${longest} characters at most: name fewer parts`);
  budget.take('steps', expression.length);
  try {
    return new JSONPathJS(expression).rootNode;
  } catch (error) {
    const reason = error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message;
    throw new Misplaced(
      budget.place,
      `"${expression.slice(0, 100)}" cannot be used as a JSONPath: ${reason}`,
    );
  }
}

class Finder {
  readonly #root: unknown;
  readonly #budget: ReadingBudget;

  constructor(root: unknown, budget: ReadingBudget) {
    this.#root = root;
    this.#budget = budget;
  }

  follow(segments: readonly Segment[], from: Selected): Selected[] {
    return segments.reduce<Selected[]>(
      (nodes, segment) => this.#keepEach(this.#select(segment, nodes)),
      [from],
    );
  }

  /** Keeps each node once, before others are made: repeated unions multiply them. */
  #keepEach(found: Iterable<Selected>): Selected[] {
    const seen = new Map<object | undefined, Set<string>>();
    const kept: Selected[] = [];
    for (const node of found) {
      this.#budget.take('steps');
      const names = seen.get(node.around) ?? new Set();
      if (names.has(node.name)) continue;
      seen.set(node.around, names.add(node.name));
      kept.push(node);
    }
    return kept;
  }

  *#select(segment: Segment, nodes: readonly Selected[]): Iterable<Selected> {
    const selectors: readonly Selector[] = Array.isArray(segment) ? segment : segment.selectors;
    for (const node of nodes)
      for (const around of Array.isArray(segment) ? [node] : this.#descendants(node))
        for (const selector of selectors) {
          this.#budget.take('steps');
          yield* this.#pick(selector, around.value);
        }
  }

  *#descendants(node: Selected): Iterable<Selected> {
    const open = [node];
    for (let next = open.pop(); next; next = open.pop()) {
      this.#budget.take('steps');
      yield next;
      for (const child of listChildren(next.value).reverse()) open.push(child);
    }
  }

  #pick(selector: Selector, value: unknown): Iterable<Selected> {
    switch (selector.type) {
      case 'WildcardSelector':
        return listChildren(value);
      case 'IndexSelector':
        return Array.isArray(value) ? readItems(value, [selector.index]) : [];
      case 'SliceSelector':
        return Array.isArray(value) ? readItems(value, listPlaces(value.length, selector)) : [];
      case 'FilterSelector':
        return listChildren(value).filter((child) => this.#accepts(selector.expr, child));
      default:
        return isMap(value) && Object.hasOwn(value, selector.member)
          ? [{ around: value, name: selector.member, value: readMember(value, selector.member) }]
          : [];
    }
  }

  #accepts(test: Test, node: Selected): boolean {
    this.#budget.take('steps');
    switch (test.type) {
      case 'LogicalUnary':
        return !this.#accepts(test.expr, node);
      case 'LogicalBinary':
        return test.operator === '&&'
          ? this.#accepts(test.left, node) && this.#accepts(test.right, node)
          : this.#accepts(test.left, node) || this.#accepts(test.right, node);
      case 'ComparisonExpr':
        return this.#compare(test, node);
      default:
        if (test.query.type === 'FunctionExpr') throw this.#unknown(test.query.name);
        return this.#find(test.query, node).length > 0;
    }
  }

  #find({ type, segments }: FilterQuery, node: Selected): Selected[] {
    return this.follow(segments, type === 'Root' ? { name: '', value: this.#root } : node);
  }

  #compare({ left, operator, right }: Comparison, node: Selected): boolean {
    const [one, other] = [this.#evaluate(left, node), this.#evaluate(right, node)];
    if (isContainer(one) && isContainer(other))
      throw new Misplaced(
        this.#budget.place,
        'an expression compares no lists and maps: name a value in them',
      );
    if (operator === '==' || operator === '!=') return (one === other) === (operator === '==');
    if (operator.endsWith('=') && one === other) return true;
    if (typeof one !== typeof other || !/^(number|string)$/.test(typeof one)) return false;
    const isLess = (one as number) < (other as number);
    return one !== other && isLess === operator.startsWith('<');
  }

  /** Returns the value of a literal, a singular query or a function; undefined for nothing. */
  #evaluate(compared: Compared | Argument, node: Selected): unknown {
    if (compared.type === 'Literal') return compared.member;
    if (compared.type !== 'FunctionExpr') return this.#find(compared as FilterQuery, node)[0]?.value;
    const [argument] = compared.args;
    if (compared.name === 'length') return measure(this.#evaluate(argument as Argument, node));
    const found = this.#find(argument as FilterQuery, node);
    if (compared.name === 'count') return found.length;
    if (compared.name === 'value') return found.length === 1 ? found[0]?.value : undefined;
    throw this.#unknown(compared.name);
  }

  #unknown(name: string): Misplaced {
    return new Misplaced(this.#budget.place, `no expression takes ${name} here: name the parts`);
  }
}

function measure(value: unknown): number | undefined {
  if (typeof value === 'string') return [...value].length;
  return isContainer(value) ? Object.keys(value).length : undefined;
}

function listChildren(value: unknown): Selected[] {
  return isContainer(value)
    ? Object.entries(value).map(([name, child]) => ({ around: value, name, value: child }))
    : [];
}

function readItems(list: readonly unknown[], places: readonly number[]): Selected[] {
  return places
    .map((at) => (at < 0 ? list.length + at : at))
    .filter((at) => at >= 0 && at < list.length)
    .map((at) => ({ around: list, name: String(at), value: list[at] }));
}

/** Lists the places that a slice means, in its order. */
function listPlaces(length: number, { start, end, step }: Slice): number[] {
  const by = step ?? 1;
  const [low, high] = by > 0 ? [0, length] : [-1, length - 1];
  const bound = (at: number): number => Math.min(Math.max(at < 0 ? length + at : at, low), high);
  const from = start === null ? (by > 0 ? low : high) : bound(start);
  const to = end === null ? (by > 0 ? high : low) : bound(end);
  const places: number[] = [];
  for (let at = from; by > 0 ? at < to : by < 0 && at > to; at += by) places.push(at);
  return places;
}
