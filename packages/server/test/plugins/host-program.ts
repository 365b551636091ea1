import type { SandboxChoice } from '../../src/plugins/isolation.ts'
import { openHosting } from './hosting.ts'

/** A host with plugins at work, for a test to end without a word. Says where they work once all of them do. */
const hosting = await openHosting({ sandbox: process.argv[2] as SandboxChoice })
for (const fixture of ['well-behaved.mjs', 'ignores-shutdown.mjs']) await hosting.ask(hosting.spec(fixture))
await hosting.host.call(hosting.spec('leaves-a-daemon.sh'), 'ping', undefined, { deadlineMs: 20_000 })
void hosting.ask(hosting.spec('hangs-on-call.mjs'))
process.stdout.write(`${hosting.folder}\n`)
