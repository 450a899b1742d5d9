import { day, minute, second } from '../results/calendar.ts';

/** Ms in which those who fail together are collected before the first message: a person reads one, not three hundred. */
export const collectMs = 20 * second;
/** Ms after its beginning in which others join an alert; one change lists them. */
export const joinMs = 2 * minute;
/** Ms between two changes that are not graver: after one of 12:00, what joins at 12:03, 12:06 and 12:11 is one of 12:15. */
export const changeMs = 15 * minute;
/** Times as often as was said that are graver: said of 3 stolen requests, 30 of them are a change at once. */
export const graverTimes = 10;
/** Ms for which an alert that is over is remembered: an outage that is over at 12:00 and returns at 12:25 is the same alert. */
export const rememberMs = 30 * minute;
/**
 * More relapses than these within the time flap: five outages that begin at 12:00, 12:07, 12:14, 12:21 and 12:28 do. While
 * a budget burns, single bad slots may lie hours apart.
 */
export const maxRelapses = 3;
export const flapMs = 30 * minute;
export const flapMsOfBudget = day;
/**
 * Mean gaps between outages without one, after which it flaps no more: 1 in 400 is longer by chance. Outages every ten
 * minutes are over after a quiet hour, those every two minutes after `rememberMs`.
 */
export const quietGaps = 6;
/** Ms of an outage that lasts and does not flap, if it is also twice as long as the longest before: 16 minutes after one of 8. */
export const lastingMs = 10 * minute;
/** Ms for which our own trouble has to be over: it comes and goes for each of many targets, and one good slot proves little. */
export const ownQuietMs = minute;
