import { ConfigError, type RawValues, list, oneOf, readSetting, type Setting, text, truth } from './config-kinds.ts'

/** It describes a provider that says who people are, and what follows from that here. */
export interface OidcProvider {
  readonly name: string
  readonly displayName: string
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: readonly string[]
  readonly groupsClaim: string
  readonly usernameClaim: string
  readonly adminGroups: readonly string[]
  readonly editorGroups: readonly string[]
  readonly readerGroups: readonly string[]
  readonly defaultRole: 'reader' | 'none'
  readonly createUsers: boolean
  readonly linkByEmail: boolean
}

export interface OidcConfig {
  /** Scheme, host and base path under which providers send browsers back. */
  readonly callbackBase: string
  readonly providers: readonly OidcProvider[]
  /** Apps may have their tokens sent to these addresses. */
  readonly redirectUris: readonly string[]
}

export const providerNames: Setting<string[]> = list(
  'a list of names of up to 32 small letters, digits and hyphens, each once, such as main',
  (part) => (/^[a-z][a-z0-9-]{0,31}$/.test(part) ? part : undefined),
)

export const redirectUris: Setting<string[]> = list(
  'a list of addresses such as com.example.reader:/signed-in (http:// only for this machine, no fragment)',
  (part) => (isRedirectUri(part) ? part : undefined),
)

const claimName = (fallback: string): Setting<string> => text('the name of a claim', /^[!-~]{1,200}$/, fallback)
const groups = list('a list of groups', (part) => part)

const settings = {
  ISSUER: {
    fallback: undefined,
    allowed: 'an https:// address without ? and # (http:// only for this machine)',
    read: (value: string) => (isIssuer(value) ? new URL(value) : undefined),
  },
  CLIENT_ID: text('1 to 256 characters', /^[^\0]{1,256}$/),
  CLIENT_SECRET: { ...text('1 to 1024 characters', /^[^\0]{1,1024}$/), secret: true },
  DISPLAY_NAME: text('1 to 64 characters', /^[^\p{Cc}]{1,64}$/u),
  SCOPES: {
    fallback: 'openid profile email',
    allowed: 'a list of scopes that includes openid',
    read: (value: string) => {
      const scopes = value.split(/[\s,]+/).filter((scope) => scope !== '')
      return scopes.includes('openid') && scopes.every((scope) => /^[!#-[\]-~]+$/.test(scope)) ? scopes : undefined
    },
  },
  GROUPS_CLAIM: claimName('groups'),
  USERNAME_CLAIM: claimName('preferred_username'),
  ADMIN_GROUPS: groups,
  EDITOR_GROUPS: groups,
  READER_GROUPS: groups,
  DEFAULT_ROLE: oneOf(['reader', 'none'], 'reader'),
  CREATE_USERS: truth(false),
  LINK_BY_EMAIL: truth(false),
} satisfies Record<string, Setting<unknown>>

type Key = keyof typeof settings
type ValueOf<K extends Key> = (typeof settings)[K] extends Setting<infer Value> ? Value : never

const prefixOf = (provider: string): string => `CARREL_OIDC_${provider.toUpperCase().replaceAll('-', '_')}_`

/** The full names of a provider's settings, in the order of the operators' page, with what each takes. */
export const settingsOfProvider = (provider: string): readonly (readonly [string, Setting<unknown>])[] =>
  Object.entries<Setting<unknown>>(settings).map(([key, setting]) => [prefixOf(provider) + key, setting])

const anyProvider = new RegExp(`^CARREL_OIDC_[A-Z][A-Z0-9_]*_(${Object.keys(settings).join('|')})$`)
export const isProviderSetting = (name: string): boolean => anyProvider.test(name)

interface Own {
  readonly host: string
  readonly port: number
  readonly publicUrl: URL | undefined
  readonly basePath: string
}

export const readOidc = (given: RawValues, { host, port, publicUrl, basePath }: Own): OidcConfig => {
  const names = readSetting(given, 'CARREL_OIDC_PROVIDERS', providerNames) ?? []
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new ConfigError(`CARREL_OIDC_PROVIDERS names ${twice} twice`)
  if (names.length > 0 && !publicUrl && !(isLoopback(host) && port > 0)) {
    throw new ConfigError(
      'CARREL_PUBLIC_URL is not set, but CARREL_OIDC_PROVIDERS needs it: set it to the address people use, to which providers send them back',
    )
  }
  const bracketed = host.includes(':') ? `[${host}]` : host
  return {
    callbackBase: (publicUrl?.origin ?? `http://${bracketed}:${port}`) + basePath,
    providers: names.map((name) => readProvider(given, name)),
    redirectUris: readSetting(given, 'CARREL_OIDC_REDIRECT_URIS', redirectUris) ?? [],
  }
}

const readProvider = (given: RawValues, name: string): OidcProvider => {
  const prefix = prefixOf(name)
  // The value of a setting has the type its own `read` answers with.
  const get = <K extends Key>(key: K): ValueOf<K> | undefined =>
    readSetting(given, prefix + key, settings[key] as Setting<ValueOf<K>>)
  const need = <K extends Key>(key: K): ValueOf<K> => {
    const value = get(key)
    if (value !== undefined) return value
    throw new ConfigError(
      `${prefix}${key} is not set, but CARREL_OIDC_PROVIDERS names ${name}: set it to ${settings[key].allowed}`,
    )
  }
  const provider: OidcProvider = {
    name,
    displayName: get('DISPLAY_NAME') ?? name,
    issuer: need('ISSUER'),
    clientId: need('CLIENT_ID'),
    clientSecret: need('CLIENT_SECRET'),
    scopes: need('SCOPES'),
    groupsClaim: need('GROUPS_CLAIM'),
    usernameClaim: need('USERNAME_CLAIM'),
    adminGroups: need('ADMIN_GROUPS'),
    editorGroups: need('EDITOR_GROUPS'),
    readerGroups: need('READER_GROUPS'),
    defaultRole: need('DEFAULT_ROLE'),
    createUsers: need('CREATE_USERS'),
    linkByEmail: need('LINK_BY_EMAIL'),
  }
  const { adminGroups, editorGroups, readerGroups, defaultRole } = provider
  if (defaultRole === 'none' && adminGroups.length + editorGroups.length + readerGroups.length === 0) {
    throw new ConfigError(
      `${prefix}DEFAULT_ROLE is "none", but no groups are given: nobody could sign in. Set ${prefix}READER_GROUPS, or reader`,
    )
  }
  return provider
}

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

const isIssuer = (value: string): boolean => {
  if (!/^https?:\/\/[^\s?#\\@]+$/.test(value) || !URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || isLoopback(hostname)
}

/** A browser would run these schemes or open them as a file: they never belong to an app. */
const neverAnApp = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'view-source:'])

const isRedirectUri = (value: string): boolean => {
  if (!/^[a-z][a-z0-9+.-]*:[!-~]+$/i.test(value) || /[#"<>\\]/.test(value) || !URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'http:' ? isLoopback(hostname) : !neverAnApp.has(protocol)
}
