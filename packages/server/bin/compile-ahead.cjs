#!/usr/bin/env node
// It starts the server once, on nothing, and stops it: that leaves what V8 has compiled beside the bundle (compiled-code.cjs), or in the
// folder that is named. The build runs it, and so do packages when they are installed, because what is compiled belongs to one Node on
// one kind of machine.
'use strict'

const { spawn } = require('node:child_process')
const { mkdtempSync, rmSync } = require('node:fs')
const { request } = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { createInterface } = require('node:readline')

const endsWithinMs = 60_000
/** They are asked for once, so that what the first answers need is compiled too, and what checks and refuses a body. */
const asked = [
  ...['/', '/health', '/health/ready', '/api/v1/setup/status', '/api/v1/auth/me'].map((path) => ({ path })),
  { path: '/api/v1/auth/login', body: { username: 'nobody', password: 'is here yet' } },
]

async function compileAhead() {
  const dataDir = mkdtempSync(join(tmpdir(), 'carrel-compile-'))
  const { PATH, TMPDIR } = process.env
  const [, , folder] = process.argv
  const server = spawn(process.execPath, [join(__dirname, 'carrel.cjs'), 'serve'], {
    env: {
      PATH,
      ...(TMPDIR !== undefined && { TMPDIR }),
      ...(folder !== undefined && { COMPILED_FOLDER: folder }),
      CARREL_DATA_DIR: dataDir,
      CARREL_HOST: '127.0.0.1',
      CARREL_PORT: '0',
      CARREL_LOG_FORMAT: 'json',
      CARREL_LOG_LEVEL: 'debug',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: endsWithinMs,
  })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  let answered = Promise.resolve()
  // Both begin after the server.
  const awaited = new Set(['The worker is ready', 'Schedules and folders are followed'])
  for await (const line of createInterface(server.stdout)) {
    const { msg, url } = parsed(line)
    if (msg === 'Carrel is ready') answered = Promise.all(asked.map(({ path, body }) => ask(new URL(path, url), body)))
    if (awaited.delete(msg) && awaited.size === 0) void answered.then(() => server.kill('SIGTERM'))
  }
  const code = await ended
  rmSync(dataDir, { recursive: true, force: true })
  if (code !== 0) throw new Error(`The server ended with ${code}`)
}

function ask(url, body) {
  const method = body ? 'POST' : 'GET'
  return new Promise((resolve) => {
    const sent = request(url, { method, agent: false, headers: body && { 'content-type': 'application/json' } })
    sent.once('response', (answer) => answer.resume().once('close', resolve)).once('error', resolve)
    sent.end(body && JSON.stringify(body))
  })
}

function parsed(line) {
  try {
    return JSON.parse(line)
  } catch {
    return {}
  }
}

compileAhead().catch((error) => {
  process.stderr.write(`Nothing was compiled ahead: ${error.message}\n`)
  process.exitCode = 1
})
