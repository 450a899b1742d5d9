import { sampleRehearsal } from '@candleproof/reports/testing/sample-rehearsal';
import { testWholePage } from '@candleproof/reports/testing/whole-page';
import { rehearsalPage } from './rehearsal-page.ts';

testWholePage('a rehearsal', () => rehearsalPage(sampleRehearsal));
