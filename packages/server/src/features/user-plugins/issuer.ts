import type { Context } from '../../context.ts'
import { manifestOf, type PluginRow, type Secrets, decrypt } from '../plugins/plugins.ts'
import type { Issuer } from './authorization.ts'

type IssuerRow = Pick<PluginRow, 'manifest' | 'oauth_client_id' | 'oauth_client_secret'>

/** The client id at the service is the administrator's, else the plugin's. */
export const clientIdOf = (plugin: IssuerRow): string | undefined =>
  plugin.oauth_client_id ?? manifestOf(plugin)?.oauth?.clientId ?? undefined

/** Undefined: nobody can sign in there. */
export const issuerOf = (
  { settings, secrets }: Pick<Context, 'settings'> & { readonly secrets: Secrets },
  plugin: IssuerRow,
): Issuer | undefined => {
  const oauth = manifestOf(plugin)?.oauth
  const clientId = clientIdOf(plugin)
  if (!oauth || clientId === undefined) return undefined
  const secret = plugin.oauth_client_secret === null ? undefined : decrypt(secrets, plugin.oauth_client_secret)
  return {
    oauth,
    clientId,
    clientSecret: typeof secret === 'string' ? secret : undefined,
    allowedHosts: settings.get('plugins.oauth_hosts'),
  }
}
