import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The checks of `package.json`, of which none knows of the others, the longest first. */
const checks = Object.keys(scriptsOf('package.json')).filter((name) => name.startsWith('static:'))
/** It uses every core by itself. */
const alone = 'static:lint'
/** The compiler and what lints by its types would spend half their time on collecting garbage; they hold less than 3 GB. */
const env = { GOGC: '800', ...process.env }
const atOnce = 2

function scriptsOf(file: string): Record<string, string> {
  const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: Record<string, string> }
  return scripts
}

/** Its output comes in one piece when it ends, so that checks that run at the same time can be told apart. */
const passes = (check: string): Promise<boolean> =>
  new Promise((resolve) => {
    const startedAt = performance.now()
    const child = spawn('npm', ['run', '--silent', check], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    child.once('error', (error) => {
      output += `${error.message}\n`
    })
    child.once('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      process.stdout.write(`${output}${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s: ${check}\n`)
      resolve(code === 0)
    })
  })

const results: boolean[] = []
const left = checks.filter((check) => check !== alone).values()
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (const check of left) results.push(await passes(check))
  }),
)
results.push(await passes(alone))
if (results.includes(false)) process.exitCode = 1
