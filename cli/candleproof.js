#!/usr/bin/env node
console.log(process.version, process.argv.slice(2), process.env.PATH.split(":").slice(0,5))
