import type { ValidateFunction } from 'ajv';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { OperationId } from '../judge/verdict.ts';
import type {
  FieldForms,
  FieldNames,
  Gaps,
  NamedInterval,
  OperationRole,
  ParameterRole,
  QuotaHeaders,
  Role,
  TimeUnit,
} from './roles.ts';
import type { Rungs } from './rungs.ts';

export type Parameter = {
  readonly name: string;
  /** What the judge gives it; undefined for one that it never sends. */
  readonly role?: ParameterRole;
  /** How a time is written; Unix seconds where left out. */
  readonly unit?: TimeUnit;
  /** What it is always sent as. */
  readonly fixed?: string;
  /** Of a limit: its maximum, and what holds where it is left out. */
  readonly most?: number;
  readonly usual?: number;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly accepts: ValidateFunction;
};

export type Operation = {
  readonly id: OperationId;
  /** What it gives, in the document's words. */
  readonly title: string;
  readonly role: OperationRole;
  /** The space that its pools are numbered in, such as `v1`. */
  readonly space: string;
  readonly gaps: Gaps;
  /** Unix seconds before which no pool had a row, where the document says so. */
  readonly since?: number;
  /** Rows that one answer holds at most, where the document says so. */
  readonly maxRows?: number;
  /** Path template below the base URL, with `{name}` for path parameters. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Members of the body that lead to its records; none where it is the list or the record itself. */
  readonly rowsAt: readonly string[];
  /** A success answers a list of records, else a single one. */
  readonly answersList: boolean;
  /** The answer's own form, its records left out: a list is checked record by record, so that a hostile one stays cheap. */
  readonly acceptsShape: ValidateFunction;
  readonly acceptsRecord: ValidateFunction;
  /** Names of the fields that the document gives a record; positions where it is a tuple. */
  readonly recordFields: readonly string[];
  /** The same by their roles. */
  readonly fields: FieldNames<string>;
  readonly forms: FieldForms;
  /** Names of the headers that every answer carries (§8), lower case. */
  readonly headers: readonly string[];
  readonly acceptsHeader: ValidateFunction;
  /** JSON pointer into openapi.yaml. */
  readonly pointer: string;
};

/** openapi.yaml, parsed and compiled. */
export type Spec = {
  readonly file: string;
  readonly sha256: string;
  readonly document: OpenAPIV3_1.Document;
  readonly operations: readonly Operation[];
  /** Shortest first. */
  readonly intervals: readonly NamedInterval[];
  /** Those that the law asks for. */
  readonly rungs: Rungs;
  readonly quota: QuotaHeaders;
  /** The header that carries the key, lower case; absent where none is needed. */
  readonly keyHeader?: string;
  /** Rules' sections and all that they rest on are this document's. */
  readonly isOurs: boolean;
  /** What the document has of all that rules may need. */
  readonly roles: readonly Role[];
};
