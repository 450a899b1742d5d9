import { OneLineError } from '@candleproof/files/usage-error';
import type { ValidateFunction } from 'ajv';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { RowLayout, RowStep } from '../layout/layout.ts';
import type {
  Edge,
  FieldForms,
  FieldNames,
  Gaps,
  NamedInterval,
  OperationRole,
  ParameterRole,
  QuotaHeaders,
  Role,
  Rungs,
  TimeForm,
} from './roles.ts';
import type { Zone } from './times.ts';

export type Parameter = {
  readonly name: string;
  /** The role, for parameters that the judge sends; undefined for others. */
  readonly role?: ParameterRole;
  /** The unit of a time; Unix seconds by default. */
  readonly unit?: TimeForm;
  /** The zone of times without an offset, if the document names one. */
  readonly zone?: Zone;
  readonly zoneName?: string;
  /** Inclusive if rows at this end of a range belong to it; absent if the document says nothing. */
  readonly edge?: Edge;
  /** A time is a day: one at the end of a range belongs to it as a whole, unless that edge is exclusive. */
  readonly isDay?: true;
  /** The texts of a parameter that is one of several that make the interval, by the interval's name. */
  readonly parts?: Readonly<Record<string, string>>;
  /** The one value of a parameter without a role that the judge understands; sent if the parameter is required. */
  readonly fixed?: string;
  /** A limit's maximum, and its default. */
  readonly most?: number;
  readonly usual?: number;
  /** Values of an interval parameter that have no length here, such as a calendar month. */
  readonly unmeasured?: readonly string[];
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body';
  /** Members of a JSON body that lead to the value. */
  readonly at?: readonly string[];
  readonly required: boolean;
  readonly accepts: ValidateFunction;
};

/** A member of an answer, by the members that lead to it, with its value in an answer to a served request. */
export type StatusPlace = { readonly at: readonly string[]; readonly ok?: unknown };

export type Operation = {
  readonly id: OperationId;
  /** The operation's summary in the document. */
  readonly title: string;
  readonly role: OperationRole;
  /** The space that its pools are numbered in, such as `v1`. */
  readonly space: string;
  readonly gaps: Gaps;
  /** Seconds within which a pool that never rests has a new row, if the document says so. */
  readonly fresh?: number;
  /** Unix seconds before which no pool had a row, if the document says so. */
  readonly since?: number;
  /** Unix seconds; no time before it is plausible. */
  readonly earliest: number;
  /** The most rows that one answer may hold, if the document says so; by seconds of the interval if they differ. */
  readonly maxRows?: number;
  readonly maxRowsOf?: Readonly<Record<number, number>>;
  /** Seconds, by interval, by which the times of a request are later than the starts of its rows: those are ends. */
  readonly lateBy?: Readonly<Record<string, number>>;
  /** GET if absent; a POST reads as well, as its role declares. */
  readonly method?: 'POST';
  /** Path template below the base URL, with `{name}` for path parameters; `{+name}` for one of several steps. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Media types of a success in the document, lower case, if there are others than application/json. */
  readonly mediaTypes?: readonly string[];
  /** Members of the body that lead to its records; empty if the body is the list or the record itself. */
  readonly rowsAt: readonly RowStep[];
  /** The way in which the records lie there, if they are no plain list or record. */
  readonly layout?: RowLayout;
  /** Places in a 200 whose values show whether it is a refusal. */
  readonly statuses: readonly StatusPlace[];
  /** The place in an answer of what leads to its next page, which may hold further rows. */
  readonly nextPage?: readonly string[];
  /** The sign that there are no rows, other than an empty list: no list at all, or a refusal with this status. */
  readonly empty?: 'absent' | number;
  /** A success answers with a list of records, else with a single one. */
  readonly answersList: boolean;
  /** Accepts the answer without its records: a list is checked record by record, so that a hostile one stays cheap. */
  readonly acceptsShape: ValidateFunction;
  readonly acceptsRecord: ValidateFunction;
  /** Names of the fields that the document describes in a record; positions for a tuple. */
  readonly recordFields: readonly string[];
  /** The same fields by role. */
  readonly fields: FieldNames<string>;
  readonly forms: FieldForms;
  /** The zone of a record's times without an offset; UTC by default. */
  readonly zone?: Zone;
  readonly zoneName?: string;
  /** Names of the headers that every answer carries (§8), lower case. */
  readonly headers: readonly string[];
  readonly acceptsHeader: ValidateFunction;
  /** JSON pointer into openapi.yaml. */
  readonly pointer: string;
};

/** The files that make up a document. */
export type DocumentFiles = {
  readonly file: string;
  /** OpenAPI Overlays, in the order in which they are applied. */
  readonly overlays?: readonly string[];
  /** Texts of files that are not written yet, by their names. */
  readonly texts?: Readonly<Record<string, string>>;
};

/** The place of a key in a request, by its security scheme. */
export type KeyPlace = {
  readonly scheme: string;
  readonly in: 'header' | 'query';
  /** Lower case for a header. */
  readonly name: string;
  /** The text before the key, such as `Bearer `. */
  readonly prefix: string;
};

/** The document, parsed and compiled. */
export type Spec = DocumentFiles & {
  readonly sha256: string;
  /** Parts that are not checked, one line each. */
  readonly notes?: readonly string[];
  readonly document: OpenAPIV3_1.Document;
  readonly operations: readonly Operation[];
  /** Shortest first. */
  readonly intervals: readonly NamedInterval[];
  /** The intervals that rules need. */
  readonly rungs: Rungs;
  readonly quota: QuotaHeaders;
  /** Requests a minute that every operation may take, if the document says so. */
  readonly ratePerMinute?: number;
  /** The header that carries the key, lower case; absent if none is needed. */
  readonly keyHeader?: string;
  /** The places of the keys that a request carries, that of the API key first; absent if none is needed. */
  readonly keyPlaces?: readonly KeyPlace[];
  /** The rules' sections refer to this document, so all rules apply. */
  readonly isOurs: boolean;
  /** The features of this document that rules may need. */
  readonly roles: readonly Role[];
};

/** An operation by its name in the document. */
export type OperationId = string;

/** An operation in the words of its document. */
export type OperationName = {
  /** Its summary. */
  readonly title: string;
  /** Method and path template. */
  readonly request: string;
};

/** A pool's id in its API. */
export type PoolId = number | string;
export type PoolsBySpace = Readonly<Record<string, readonly PoolId[]>>;

/** Reports a mistake in the document: one line with file, line and mend. */
export class SpecError extends OneLineError {
  override readonly name = 'SpecError';
  /** Every mistake that was found, one line each; the first is that of the message. */
  readonly mistakes: readonly string[];

  constructor(message: string, mistakes: readonly string[] = [message]) {
    super(
      mistakes.length > 1
        ? `${message} (and ${mistakes.length - 1} more: candleproof spec lists them)`
        : message,
    );
    this.mistakes = mistakes;
  }
}
