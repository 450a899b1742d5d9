/** Imported before a command that is forked, so that its processor time can be requested. */
process.on('message', () => process.send?.(process.cpuUsage()));
process.channel?.unref();
