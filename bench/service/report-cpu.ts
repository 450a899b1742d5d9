/** Imported before a forked command, so that its CPU time can be requested. */
process.on('message', () => process.send?.(process.cpuUsage()));
process.channel?.unref();
