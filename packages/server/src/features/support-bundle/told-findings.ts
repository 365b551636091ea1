import { homedir, hostname } from 'node:os'
import type { Config } from '../../config.ts'
import type { Finding } from '../doctor/doctor.ts'

/** What the examination found, without the names that people have given: those of folders, machines and libraries. */
export const toldFindings = (findings: readonly Finding[], config: Config): Finding[] => {
  const known = namesHere(config)
  const libraries = [...new Set(findings.map(({ check }) => check).filter((check) => check.startsWith('library ')))]
  return findings.map(({ check, status, message, advice }) => {
    const library = libraries.indexOf(check)
    return {
      check: library === -1 ? check : `library ${library + 1}`,
      status,
      message: library === -1 ? withoutNames(message, known) : withoutRoot(message),
      ...(advice !== undefined && { advice: withoutNames(advice, known) }),
    }
  })
}

/** The root stands at one end of what is said of it, and there may be anything in its name. */
const withoutRoot = (message: string): string => {
  const said = ['is empty', 'can be read', 'does not answer within five seconds', 'is not there', 'may not be read']
  if (message.startsWith('At ')) return 'At ROOT is another disk than at the last scan.'
  return `ROOT ${said.find((each) => new RegExp(`${each}[^/]*$`).test(message)) ?? 'cannot be read'}.`
}

type Names = readonly (readonly [name: string, instead: string])[]

const namesHere = ({ dataDir, database, publicUrl, host }: Config): Names => {
  const names: [string, string][] = [[dataDir, 'DATA_FOLDER']]
  if (database.kind === 'sqlite') names.push([database.file, 'DATABASE'])
  else names.push([database.url, 'DATABASE'], ...partsOf(database.url))
  if (publicUrl) names.push([publicUrl.href, 'PUBLIC_ADDRESS'], [publicUrl.host, 'PUBLIC_ADDRESS'])
  if (!/^(localhost|127\.0\.0\.1|0\.0\.0\.0|::1?)$/.test(host)) names.push([host, 'HOST'])
  names.push([homedir(), 'HOME'], [hostname(), 'THIS_MACHINE'])
  // The longest first: one may be the beginning of another.
  return names.filter(([name]) => name.length > 1).toSorted(([one], [other]) => other.length - one.length)
}

const partsOf = (address: string): [string, string][] => {
  const { hostname, username, password, pathname } = new URL(address)
  const parts = [hostname, decodeURIComponent(username), decodeURIComponent(password), pathname.slice(1)]
  return parts.filter((part) => part.length > 2).map((part) => [part, 'OF_DATABASE'])
}

/** Whatever looks like a path, an address or a quotation goes too: a driver's error may hold others than those known here. */
const withoutNames = (text: string, names: Names): string =>
  names
    .reduce((rest, [name, instead]) => rest.replaceAll(name, instead), text)
    .replaceAll(/"[^"]*"|'[^']*'|“[^”]*”/g, '"…"')
    .replaceAll(/\b[a-z][a-z+.-]*:\/\/\S+/gi, 'ADDRESS')
    .replaceAll(/(?<![\w.])\/[^\s),;]+/g, 'PATH')
    .replaceAll(/\b(?!127\.0\.0\.1\b|0\.0\.0\.0\b)\d{1,3}(\.\d{1,3}){3}\b/g, 'ADDRESS')
