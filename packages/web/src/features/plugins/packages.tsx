import { listPluginPackages } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../link.tsx'
import { useMay } from '../../me.ts'
import { paths } from '../../paths.ts'
import { useTimeText } from '../../time-text.ts'
import { Section } from '../../ui/page.tsx'
import { Row, RowList } from '../../ui/row-list.tsx'

/** What plugins can be set up from. */
export const Packages = (): ReactNode => {
  const { t } = useTranslation('plugins')
  const { ago } = useTimeText()
  const mayChange = useMay('plugins:write')
  const { packages } = useRead(listPluginPackages, {})
  return (
    <Section title={t('packages.title')} text={t(packages.length === 0 ? 'packages.none' : 'packages.text')}>
      <RowList label={t('packages.title')}>
        {packages.map(({ name, version, source, installedAt }) => (
          <Row
            key={name}
            icon="copy"
            title={<bdi>{name}</bdi>}
            text={[
              version,
              t(`packages.source.${source}`),
              source === 'built_in' ? undefined : t('packages.installed', { when: ago(installedAt) }),
            ]
              .filter((word) => word !== undefined)
              .join(' · ')}
            actions={
              mayChange ? (
                <Button
                  component={AppLink}
                  to={paths.newPlugin({ package: name })}
                  variant="default"
                  aria-label={t('packages.setUpOf', { name })}
                >
                  {t('packages.setUp')}
                </Button>
              ) : undefined
            }
          />
        ))}
      </RowList>
    </Section>
  )
}
