import { homedir, hostname } from 'node:os'
import type { Config } from '../../config.ts'
import type { Finding } from '../doctor/doctor.ts'

/** What the examination found, without the names that people have given: those of folders, machines and libraries. */
export const toldFindings = (findings: readonly Finding[], config: Config): Finding[] => {
  const folders = foldersOf(config)
  const here = [...folders, ...namesHere(config)].toSorted(longestFirst)
  const ofDatabase = [...here, ...namesOfDatabase(config)].toSorted(longestFirst)
  const libraries = [...new Set(findings.map(({ check }) => check).filter((check) => check.startsWith('library ')))]
  return findings.map(({ check, status, message, advice }) => {
    const library = libraries.indexOf(check)
    return {
      check: library === -1 ? check : `library ${library + 1}`,
      status,
      message: library === -1 ? withoutNames(message, check === 'database' ? ofDatabase : here) : withoutRoot(message),
      // A command of Carrel's may be spelled like a machine or an account.
      ...(advice !== undefined && { advice: withoutNames(advice, folders) }),
    }
  })
}

/** The root stands at one end of what is said of it, and there may be anything in its name. */
const withoutRoot = (message: string): string => {
  const phrases = ['is empty', 'can be read', 'does not answer within five seconds', 'is not there', 'may not be read']
  if (message.startsWith('At ')) return 'At ROOT is another disk than at the last scan.'
  return `ROOT ${phrases.find((each) => new RegExp(`${each}[^/]*$`).test(message)) ?? 'cannot be read'}.`
}

type Names = readonly (readonly [name: string, instead: string])[]

/** One may be the beginning of another. */
const longestFirst = ([one]: Names[number], [other]: Names[number]): number => other.length - one.length

const foldersOf = ({ dataDir, database }: Config): Names =>
  database.kind === 'sqlite'
    ? [
        [database.file, 'DATABASE'],
        [dataDir, 'DATA_FOLDER'],
      ]
    : [[dataDir, 'DATA_FOLDER']]

const namesHere = ({ publicUrl, host }: Config): Names => {
  const names: [string, string][] = [
    [homedir(), 'HOME'],
    [hostname(), 'THIS_MACHINE'],
  ]
  if (publicUrl) names.push([publicUrl.href, 'PUBLIC_ADDRESS'], [publicUrl.host, 'PUBLIC_ADDRESS'])
  if (!/^(localhost|127\.0\.0\.1|0\.0\.0\.0|::1?)$/.test(host)) names.push([host, 'HOST'])
  return names.filter(([name]) => name.length > 1)
}

const namesOfDatabase = ({ database }: Config): Names => {
  if (database.kind === 'sqlite') return []
  const { hostname, username, password, pathname, port } = new URL(database.url)
  const parts = [hostname, decodeURIComponent(username), decodeURIComponent(password), pathname.slice(1), port]
  return [database.url, ...parts].filter((part) => part.length > 2).map((part) => [part, 'OF_DATABASE'])
}

/** Whatever looks like a path, an address or a quotation goes too: a driver's error may hold others than those known here. */
const withoutNames = (text: string, names: Names): string =>
  names
    .reduce((rest, [name, instead]) => rest.replaceAll(name, instead), text)
    // What a server says of itself there may name anything.
    .replace(/ is not ready: .*$/s, ' is not ready.')
    .replaceAll(/"[^"]*"|'[^']*'|“[^”]*”/g, '"…"')
    .replaceAll(/\b[a-z][a-z+.-]*:\/\/\S+/gi, 'ADDRESS')
    .replaceAll(/(?<![\w.])\/[^\s),;]+/g, 'PATH')
    .replaceAll(/\b(?!127\.0\.0\.1\b|0\.0\.0\.0\b)\d{1,3}(\.\d{1,3}){3}\b/g, 'ADDRESS')
