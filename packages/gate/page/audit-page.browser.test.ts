import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { testWholePage } from '@candleproof/reports/testing/whole-page';
import { auditUnder, noon } from '../audit/testing/audited.ts';
import { auditPage } from './audit-page.ts';

testWholePage("a target's past", async () => {
  const service = await startBuilt({ seed: 2, now: () => noon * 1000, quota: { limit: 1_000_000 } });
  const { audit, tables } = await auditUnder(service, ['F25', 'F51']).finally(() => service.close());
  return auditPage(audit, tables, '1.0.0');
});
