import { execFile } from 'node:child_process'
import { lstat, mkdir, readdir, readFile, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '../../../config.ts'
import { makeLastingFolder, syncPath, syncTree } from '../../../platform/files/durable-files.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { randomLabel } from '../../../platform/secrets/tokens.ts'
import { minimalPath, which } from '../../../plugins/programs.ts'
import { isBelow, pluginsFolder } from '../running/launch.ts'
import type { PackageRow } from '../queries.ts'

const run = promisify(execFile)

type NewPackage = Omit<PackageRow, 'installed_at'>

interface Named {
  readonly name: string
  readonly version: string
}

const manifestBytesMax = 1024 * 1024
const filesMax = 20_000
const npmMs = 10 * 60_000

/** The folder lies below data/plugins already: it is used where it is. */
const fromFolder = async ({ dataDir }: Pick<Config, 'dataDir'>, path: string): Promise<NewPackage> => {
  const root = await folderOf(dataDir)
  const folder = await realpath(resolve(root, path)).catch(() => undefined)
  if (folder === undefined || !isBelow(root, folder) || isBelow(join(root, 'data'), folder))
    throw invalid('/path', 'There is no such folder below data/plugins.', {
      reason: 'path_missing',
      values: { path: `plugins/${path}` },
    })
  await requireNoWayOut(folder, folder)
  const { name, version, entry } = await readPackage(folder)
  return { name, version, source: 'folder', folder: relative(root, folder), entry }
}

/** Downloaded once, here; what a package would run when it is installed is not run. */
const fromNpm = async (
  { dataDir, pluginRegistry, npmEnvironment }: Pick<Config, 'dataDir' | 'pluginRegistry' | 'npmEnvironment'>,
  { name, version }: Named,
  signal: AbortSignal,
): Promise<NewPackage> => {
  const npm = await which('npm', npmEnvironment.PATH)
  if (npm === undefined) throw new AppError('conflict', 'npm is not installed on this machine: install from a folder.')
  const root = await folderOf(dataDir)
  const label = `${name.replaceAll(/[^a-z0-9]+/g, '-')}-${version}-${randomLabel(6)}`
  const unfinished = join(root, 'packages', `.${label}`)
  await makeLastingFolder(unfinished)
  try {
    const registry = pluginRegistry === undefined ? [] : [`--registry=${pluginRegistry.href}`]
    await runNpm([npm, ...registry, '--', `${name}@${version}`], unfinished, npmEnvironment, signal)
    const packagePath = join('node_modules', name)
    const { version: got, entry } = await readPackage(join(unfinished, packagePath))
    const folder = join('packages', label)
    await requireNoWayOut(unfinished, unfinished)
    // The database says that it is installed as soon as this returns.
    await syncTree(unfinished)
    await rename(unfinished, join(root, folder))
    await syncPath(join(root, 'packages'))
    return { name, version: got, source: 'npm', folder, entry: join(packagePath, entry) }
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

export const installed = { fromFolder, fromNpm }

const npmFlags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-bin-links', '--omit=dev', '--no-package-lock']

/** No script of a package runs, so npm may have what it needs to reach its registry: nothing else sees it. */
const runNpm = async (
  [npm, ...more]: readonly [string, ...string[]],
  folder: string,
  given: Config['npmEnvironment'],
  signal: AbortSignal,
): Promise<void> => {
  const env = {
    HOME: folder,
    ...given,
    PATH: `${dirname(process.execPath)}:${minimalPath}`,
    npm_config_cache: join(folder, '.npm'),
  }
  try {
    await run(npm, ['install', ...npmFlags, '--prefix', folder, ...more], {
      cwd: folder,
      env,
      timeout: npmMs,
      killSignal: 'SIGKILL',
      maxBuffer: manifestBytesMax,
      signal,
    })
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    const [line = 'npm gave no reason.', next = ''] = stderr.split('\n').filter((each) => each.startsWith('npm error'))
    const why = `${line}${next.replace('npm error', '')}`.slice(0, 300)
    throw new AppError('conflict', `It could not be installed: ${why}`, { cause: error })
  }
  await rm(join(folder, '.npm'), { recursive: true, force: true })
}

const folderOf = async (dataDir: string): Promise<string> => {
  await mkdir(pluginsFolder(dataDir), { recursive: true, mode: 0o700 })
  return realpath(pluginsFolder(dataDir))
}

/** Its name, its version and the script it begins with. */
const readPackage = async (folder: string): Promise<Named & { readonly entry: string }> => {
  const path = join(folder, 'package.json')
  const stats = await lstat(path).catch(() => undefined)
  if (!stats?.isFile() || stats.size > manifestBytesMax) throw invalid('/path', 'It has no package.json.')
  const { name, version, bin, main } = parsed(await readFile(path, 'utf8'))
  const [firstBin] = typeof bin === 'string' ? [bin] : Object.values((bin ?? {}) as Record<string, unknown>)
  const entry = firstBin ?? main ?? 'index.js'
  if (typeof name !== 'string' || typeof version !== 'string' || typeof entry !== 'string' || name.length > 214)
    throw invalid('/path', 'Its package.json names no name, version or program.')
  const script = await realpath(resolve(folder, entry)).catch(() => undefined)
  if (script === undefined || !isBelow(await realpath(folder), script))
    throw invalid('/path', 'The program that its package.json names is not there.')
  return { name, version: version.slice(0, 100), entry: relative(await realpath(folder), script) }
}

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // The error below says it.
  }
  throw invalid('/path', 'Its package.json cannot be read.')
}

/** A link in it could lead to anything that we may read. */
const requireNoWayOut = async (root: string, folder: string, seen = { files: 0 }): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    seen.files += 1
    if (seen.files > filesMax) throw invalid('/path', `It has more than ${filesMax} files.`)
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await requireNoWayOut(root, path, seen)
    else if (entry.isSymbolicLink()) await requireInside(root, path)
  }
}

const requireInside = async (root: string, link: string): Promise<void> => {
  const target = await realpath(link).catch(() => undefined)
  if (target === undefined || !isBelow(await realpath(root), target))
    throw invalid('/path', `${relative(root, link)} is a link that leads out of it.`)
}
