#!/usr/bin/env node
// The first file to run, on whatever Node there is: it must stay plain CommonJS that an old Node understands, and
// nothing may be loaded before the two checks below.
'use strict'

const { existsSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')

const oldest = { major: 22, minor: 22 }

// Read when a process starts and not again, so this process starts over with them in place, under the same id. Most flags
// of V8 would make it compile all of Node anew, because what Node brings compiled is for V8 without them (decision 084).
const flags = [
  // Whoever waits for an answer waits for a collection of the nursery too: with 4 MB one request in a hundred did; with 16, many slow
  // downloads took more memory than they may. It is given back when it is quiet (platform/memory/rest.ts).
  '--max-semi-space-size=8',
]
const [, , command] = process.argv
const environment = {
  // Four hung file operations must not stop everybody else's (pins W14). The doctor looks at libraries by processes of their own, and
  // is run beside a server, in a container that has room for its threads and not for many more.
  UV_THREADPOOL_SIZE: command === 'doctor' ? '4' : '64',
  // Each arena keeps what its threads have freed.
  MALLOC_ARENA_MAX: '2',
  ...process.env,
}

endWithNpm()
if (isTooOld()) runOnOurNode()
else if (flags.every((flag) => process.execArgv.includes(flag)) || !process.execve) start()
else
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)],
    environment,
  )

function isTooOld() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major < oldest.major || (major === oldest.major && minor < oldest.minor)
}

function start() {
  // Without a start over this is still early enough for the pool.
  process.env.UV_THREADPOOL_SIZE ??= environment.UV_THREADPOOL_SIZE
  const folder = join(__dirname, '../dist')
  const bundle = join(folder, 'carrel.js')
  // The build has filled it (scripts/build-server.ts); where nothing can be written it stays as it is.
  if (!process.env.NODE_COMPILE_CACHE) enableCompileCache?.(join(folder, 'compiled'))
  if (!existsSync(bundle)) return void import(join(__dirname, '../src/main.ts'))
  require('./compiled-code.cjs').takeCompiled(folder, {
    // Another place is said by what compiles ahead of the first start (compile-ahead.cjs).
    kept: process.env.COMPILED_FOLDER ?? join(folder, 'compiled'),
    program: command === 'worker' ? 'worker' : 'serve',
    // The other commands end soon: they take what is of use to them.
    mayKeep: command === 'serve' || command === 'worker',
  })
  require(bundle)
}

/** better-sqlite3 dies with a bare segmentation fault on an old Node, so we never get that far. */
function runOnOurNode() {
  const node = ourNode()
  if (!node) {
    const needed = `${oldest.major}.${oldest.minor}`
    console.error(
      `Carrel needs Node ${needed} or newer; this is ${process.version}. Install a newer Node and try again.`,
    )
    process.exit(1)
  }
  const { spawn } = require('node:child_process')
  // The fourth is a pipe that nobody writes to: it ends when this process does, however that ends (main.ts).
  const child = spawn(node, [...flags, __filename, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...environment, LAUNCHER_PIPE: '3' },
  })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    for (const each of signals) process.removeAllListeners(each)
    if (signal) process.kill(process.pid, signal)
    else process.exit(code ?? 1)
  })
}

/** npm that is killed takes nobody along; whoever it has started would serve on, known to nobody. */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1)
  }, 500).unref()
}

function ourNode() {
  try {
    const node = join(require.resolve(`node-linux-${process.arch}/package.json`), '../bin/node')
    return existsSync(node) ? node : undefined
  } catch {
    return undefined
  }
}
