import type { PostgresLayout } from '../../../postgres/lay-out.ts';

/** Whatever belongs to a fence that has no lease any more is left by a holder that is gone. */
export const ledgerLayout: PostgresLayout = {
  name: 'ledger',
  number: 1,
  tables: `
    CREATE TABLE ledger_account (id text PRIMARY KEY, ledger json NOT NULL);
    CREATE TABLE ledger_lease (
      fence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      holder text NOT NULL, silent timestamptz NOT NULL, ends timestamptz NOT NULL
    );
    CREATE TABLE ledger_member (
      account text NOT NULL, fence bigint NOT NULL, pace float8 NOT NULL, PRIMARY KEY (account, fence)
    );
    CREATE TABLE ledger_reservation (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account text NOT NULL, fence bigint NOT NULL, remaining int NOT NULL, is_block boolean NOT NULL
    );
    CREATE INDEX ON ledger_reservation (account);
    CREATE TABLE ledger_flight (id text PRIMARY KEY, account text NOT NULL, fence bigint NOT NULL);
    CREATE INDEX ON ledger_flight (account);
    CREATE TABLE ledger_event (
      serial bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account text NOT NULL, event json NOT NULL
    );
    CREATE INDEX ON ledger_event (account, serial);
  `,
};
