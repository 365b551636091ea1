import { generatedLibrary } from './library.ts'
import { type ProfileName, profileNames } from './profiles.ts'

const names = process.argv.slice(2)
const unknown = names.filter((name) => !profileNames.includes(name as ProfileName))
if (names.length === 0 || unknown.length > 0) {
  console.log(`Usage: node bench/gen/main.ts PROFILE…\nProfiles: ${profileNames.join(' ')}`)
  process.exit(2)
}
for (const name of names) {
  const startedAt = performance.now()
  const { root, counts } = await generatedLibrary(name as ProfileName)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${name}: ${root} (${seconds} s)\n  ${JSON.stringify(counts)}`)
}
