import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './packaging/locked.ts'
import { signRelease } from './packaging/sign.ts'

/**
 * `npm run sign-release -- --key FILE [--out FOLDER]`: one list of digests over all that `npm run package` has made there, and a
 * signature of that list. The key is made once by `openssl genpkey -algorithm ed25519`, and is nowhere in this tree.
 */
const { values } = parseArgs({
  options: { key: { type: 'string' }, out: { type: 'string', default: join(root, 'dist') } },
})
if (values.key === undefined) {
  process.stderr.write('Name the file of the key: npm run sign-release -- --key FILE\n')
  process.exit(2)
}
try {
  const signed = await signRelease(values.out, values.key)
  process.stdout.write(`Signed ${signed.join(', ')}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
