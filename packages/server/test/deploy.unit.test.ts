import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { describeConfig, readConfig } from '../src/config.ts'

interface Container {
  readonly image?: string
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly [key: string]: unknown
}

interface Compose {
  readonly services: Readonly<Record<string, Container>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>
  readonly networks?: Readonly<Record<string, { readonly internal?: boolean } | null>>
}

const read = (name: string): string => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8')
const compose = (name: string): Compose => parse(read(name)) as Compose
const composeFiles = ['compose.sqlite.yaml', 'compose.postgres.yaml']
const manifestFiles = ['kubernetes/sqlite.yaml', 'kubernetes/postgres.yaml']
const unit = read('carrel.service')
const containerfile = read('Containerfile')

const variables = describeConfig({ env: {}, workingDir: import.meta.dirname, isTerminal: false }).map(
  (line) => line.split('=')[0],
)
/** The last says where the others may stand. */
const isVariable = (name: string): boolean =>
  [...variables, 'CARREL_CONFIG'].includes(name) || variables.includes(name.replace(/_FILE$/, ''))

test.each(['Containerfile', 'carrel.service', 'debian/carrel', ...composeFiles, ...manifestFiles])(
  'CFG-3 %s sets only variables that there are',
  (name) => {
    const named = read(name).match(/CARREL_\w+/g) ?? []

    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((each) => !isVariable(each))).toEqual([])
  },
)

test.each(composeFiles)('%s runs every container with as little as it needs', (name) => {
  for (const settings of Object.values(compose(name).services)) {
    expect(settings).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      init: true,
      restart: 'unless-stopped',
      logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } },
    })
    expect(settings.tmpfs).toContainEqual(expect.stringMatching(/^\/tmp:size=\d+m,noexec,nosuid,nodev/))
    expect(settings.pids_limit).toBeLessThanOrEqual(256)
    expect(settings.mem_limit).toMatch(/^\d+[mg]$/)
    expect(settings.image).toMatch(/:\d[\w.-]*$/)
    expect(settings).not.toHaveProperty('privileged')
  }
  expect(compose(name).services.carrel).toMatchObject({
    stop_grace_period: '30s',
    ulimits: { nofile: { soft: 65_536, hard: 65_536 } },
  })
})

test.each(composeFiles)('%s keeps data in named volumes, and shows itself to this machine only', (name) => {
  const { services, volumes } = compose(name)
  for (const settings of Object.values(services)) {
    const sources = (settings.volumes ?? []).map((volume) => volume.split(':')[0] ?? '')
    expect(sources.filter((source) => !Object.keys(volumes).includes(source))).toEqual([])
    expect((settings.ports ?? []).every((port) => port.startsWith('127.0.0.1:'))).toBe(true)
  }
  // The example folders for libraries are mounted read-only.
  expect(read(name)).toMatch(/# - \/[\w/]+:\/libraries\/\w+:ro$/m)
})

test('CFG-5 the compose file of PostgreSQL holds no secret and lets nobody but Carrel reach the database', () => {
  const { services, secrets, networks } = compose('compose.postgres.yaml')
  const { database, carrel } = services

  expect(database?.ports).toBeUndefined()
  expect(database?.networks).toEqual(['back'])
  expect(networks?.back).toEqual({ internal: true })
  expect(carrel?.environment).toMatchObject({ CARREL_DATABASE_URL_FILE: '/run/secrets/database_url' })
  expect(database?.environment).toMatchObject({ POSTGRES_PASSWORD_FILE: '/run/secrets/database_password' })
  expect([...(carrel?.secrets ?? []), ...(database?.secrets ?? [])].sort()).toEqual(Object.keys(secrets ?? {}).sort())
  for (const name of composeFiles) expect(read(name)).not.toMatch(/(PASSWORD|SECRET_KEY|DATABASE_URL):/)
})

test('CFG-3 what the unit and the image set is accepted', () => {
  const fromUnit = Object.fromEntries(
    [...unit.matchAll(/^Environment=(CARREL_\w+)=(.*)$/gm)].map(([, ...pair]) => pair),
  )
  const fromImage = Object.fromEntries([...containerfile.matchAll(/(CARREL_\w+)=(\S+)/g)].map(([, ...pair]) => pair))
  const configOf = (env: NodeJS.ProcessEnv) => readConfig({ env, workingDir: import.meta.dirname, isTerminal: false })

  expect(configOf(fromUnit)).toMatchObject({ dataDir: '/var/lib/carrel', logFormat: 'json', warnings: [] })
  expect(configOf(fromImage)).toMatchObject({ host: '0.0.0.0', dataDir: '/data', warnings: [] })
})

test('the image runs as a user of its own, without a shell in between, and knows whether it is well', () => {
  const start = ['ENTRYPOINT', 'CMD'].flatMap((word) => {
    const [, list = 'null'] = new RegExp(`^${word} (.+)$`, 'm').exec(containerfile) ?? []
    return JSON.parse(list) as string[]
  })
  const [, check = 'null'] = /^HEALTHCHECK .*\\\n {2}CMD (.+)$/m.exec(containerfile) ?? []

  expect(start).toEqual(['node', 'bin/carrel.cjs', 'serve'])
  expect(containerfile).toMatch(/^USER 10001:10001$/m)
  expect(JSON.parse(check)).toEqual(['node', '-e', expect.stringContaining('/health`')])
})

test('the systemd unit takes away what the server does not need', () => {
  const lines = unit.split('\n')
  for (const line of hardening) expect(lines).toContain(line)
  // V8 makes code while it runs.
  expect(lines.some((line) => line.startsWith('MemoryDenyWriteExecute='))).toBe(false)
  expect(lines.some((line) => /^(WatchdogSec|RequiresMountsFor=.*(comics|books))/.test(line))).toBe(false)
})

const hardening = [
  'Type=exec',
  'User=carrel',
  'UMask=0077',
  'NoNewPrivileges=yes',
  'CapabilityBoundingSet=',
  'AmbientCapabilities=',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'ProtectProc=invisible',
  'ProtectKernelTunables=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelLogs=yes',
  'ProtectControlGroups=yes',
  'ProtectClock=yes',
  'ProtectHostname=yes',
  'RestrictSUIDSGID=yes',
  'RestrictRealtime=yes',
  // What bubblewrap makes the box of plugins of.
  'RestrictNamespaces=user mnt pid net ipc uts cgroup',
  'LockPersonality=yes',
  'SystemCallFilter=@system-service',
  'SystemCallArchitectures=native',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
  'TasksMax=256',
  'LimitNOFILE=65536',
  'LimitCORE=0',
  'KillMode=mixed',
  'TimeoutStopSec=30',
  'Restart=on-failure',
]

/** Schemas of others say more than a validator has to know. */
const schemas = new Ajv({ strict: false, allErrors: true })
const checkCompose = schemas.compile(JSON.parse(read('schemas/compose.json')) as object)

test.each(composeFiles)('%s is a compose file by the specification', (name) => {
  checkCompose(compose(name))
  expect(checkCompose.errors).toBeNull()
})

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: Readonly<Record<string, unknown>>
}

const kubernetes = JSON.parse(read('schemas/kubernetes.json')) as {
  readonly kinds: Readonly<Record<string, object>>
  readonly definitions: Readonly<Record<string, object>>
}
const manifestsIn = (name: string) => parseAllDocuments(read(name)).map((each) => each.toJS() as Manifest)

/** What a cluster would say of it: the faults, or that nobody knows the kind. */
const faultsIn = (manifest: Manifest): unknown => {
  const schema = kubernetes.kinds[`${manifest.apiVersion} ${manifest.kind}`]
  if (!schema) return `No schema of ${manifest.apiVersion} ${manifest.kind}`
  const validate = schemas.compile({ ...schema, definitions: kubernetes.definitions })
  return validate(manifest) ? [] : validate.errors
}

test.each(manifestFiles)('%s holds only what Kubernetes knows', (name) => {
  const manifests = manifestsIn(name)
  expect(manifests.length).toBeGreaterThan(2)
  for (const manifest of manifests)
    expect([manifest.metadata.name, faultsIn(manifest)]).toEqual([manifest.metadata.name, []])
})

test('a manifest with a field that Kubernetes does not know is found', () => {
  const [service] = manifestsIn('kubernetes/sqlite.yaml').filter(({ kind }) => kind === 'Service')
  expect(service && faultsIn({ ...service, spec: { ...service.spec, port: 80 } })).not.toEqual([])
})

interface Pods {
  readonly template: {
    readonly spec: {
      readonly terminationGracePeriodSeconds: number
      readonly securityContext: unknown
      readonly automountServiceAccountToken: boolean
      readonly containers: readonly { readonly image: string; readonly securityContext: unknown }[]
    }
  }
}

test.each(manifestFiles)('%s gives pods no more than they need, and the time to end by themselves', (name) => {
  const pods = manifestsIn(name).flatMap(({ spec }) => ('template' in (spec ?? {}) ? [spec as unknown as Pods] : []))
  expect(pods.length).toBeGreaterThan(0)
  for (const { template } of pods) {
    expect(template.spec).toMatchObject({
      terminationGracePeriodSeconds: 30,
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
    })
    for (const { image, securityContext } of template.spec.containers) {
      expect(image).toMatch(/:\d[\w.-]*$/)
      expect(securityContext).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      })
    }
  }
})
