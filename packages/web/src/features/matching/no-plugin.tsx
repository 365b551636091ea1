import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useMay } from '../../session/me.ts'
import { EmptyState } from '../../ui/state/state.tsx'

/** There is nobody to ask about one series or book, or about a whole library. */
export const NoPlugin = ({ of }: { readonly of: 'find' | 'library' }): ReactNode => {
  const { t } = useTranslation('matching')
  const mayReadPlugins = useMay('plugins:read')
  return (
    <EmptyState
      icon="plug"
      title={t(of === 'find' ? 'find.noPlugin' : 'library.noPlugin')}
      text={t(of === 'find' ? 'find.noPluginText' : 'library.noPluginText')}
      action={
        mayReadPlugins ? (
          <Button component={AppLink} to={paths.plugins()}>
            {t('find.toPlugins')}
          </Button>
        ) : undefined
      }
    />
  )
}
