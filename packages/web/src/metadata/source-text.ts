import type { MetadataSources } from '@carrel/api'
import { useTranslation } from 'react-i18next'

export type SourcesOfField = MetadataSources['fields'][string]

const files: Readonly<Record<string, string>> = { comicinfo: 'ComicInfo.xml', opf: 'OPF', pdf: 'PDF' }

/** It names the source of a value: `file:comicinfo` the way people say it. */
export const useSourceText = (): ((source: string) => string) => {
  const { t } = useTranslation('metadata')
  return (source) => {
    const [kind = '', name = ''] = source.split(/:(.*)/s)
    if (kind === 'file') return t('source.file', { name: files[name] ?? name })
    if (kind === 'sidecar') return t('source.sidecar', { name: files[name] ?? name })
    if (kind === 'plugin') return t('source.plugin', { name })
    if (kind === 'user') return t('source.user')
    if (kind === 'lock') return t('source.lock')
    if (kind === 'path') return t('source.path')
    return source
  }
}
