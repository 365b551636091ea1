import { listLibraries } from '@carrel/api'
import { Checkbox, Radio, TagsInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import { Notice } from '../../ui/state/state.tsx'
import type { PartProps } from './form-props.ts'
import { everyLibrary } from './inputs.ts'
import styles from './plugins.module.css'

/** They say what the plugin may reach beyond its own folder, and for which libraries it works. */
export const PermissionFields = (props: PartProps): ReactNode => {
  const { t } = useTranslation('plugins')
  const { plugin, draft, onChange } = props
  return (
    <Stack as="fieldset" gap={4} className={styles.group}>
      <legend>{t('permissions.title')}</legend>
      {worksForUsers(plugin) ? (
        <Checkbox
          label={t('permissions.everybody')}
          description={t('permissions.everybodyText')}
          checked={draft.isForEverybody}
          onChange={({ currentTarget }) => onChange({ isForEverybody: currentTarget.checked })}
        />
      ) : null}
      <Checkbox
        label={t('permissions.network')}
        description={t('permissions.networkText')}
        checked={draft.mayReachNetwork}
        onChange={({ currentTarget }) => onChange({ mayReachNetwork: currentTarget.checked })}
      />
      <TagsInput
        label={t('permissions.read')}
        description={t('permissions.readText')}
        placeholder="/srv/catalogue.csv"
        acceptValueOnBlur
        maxTags={100}
        value={[...draft.readablePaths]}
        onChange={(readablePaths) => onChange({ readablePaths })}
      />
      <TagsInput
        label={t('permissions.other')}
        description={t('permissions.otherText')}
        acceptValueOnBlur
        maxTags={90}
        value={[...draft.otherPermissions]}
        onChange={(otherPermissions) => onChange({ otherPermissions })}
      />
      <TagsInput
        label={t('permissions.scopes')}
        description={t('permissions.scopesText')}
        acceptValueOnBlur
        maxTags={200}
        data={plugin.manifest?.scopes ?? []}
        value={[...draft.scopes]}
        onChange={(scopes) => onChange({ scopes })}
      />
      <LibrariesField {...props} />
    </Stack>
  )
}

const worksForUsers = ({ pluginType, manifest }: PartProps['plugin']): boolean =>
  pluginType === 'user' || manifest?.capabilities.userRecommendationProvider === true

const LibrariesField = ({ draft: { libraryIds }, onChange }: PartProps): ReactNode => {
  const { t } = useTranslation('plugins')
  const mayRead = useMay('libraries:read')
  const { data } = useLater(listLibraries, everyLibrary, { enabled: mayRead })
  const [isSome, setSome] = useState(libraryIds.length > 0)
  const libraries = data?.data ?? []
  const hidden = libraryIds.filter((id) => libraries.every((library) => library.id !== id))
  const toggle = (id: string): void =>
    onChange({
      libraryIds: libraryIds.includes(id) ? libraryIds.filter((each) => each !== id) : [...libraryIds, id],
    })
  if (data === undefined) return null
  return (
    <Radio.Group
      label={t('libraries.title')}
      value={isSome || libraryIds.length > 0 ? 'some' : 'all'}
      onChange={(value) => {
        setSome(value === 'some')
        onChange({ libraryIds: value === 'all' ? [] : libraries.map(({ id }) => id) })
      }}
    >
      <Stack gap={3} className={styles.choices}>
        <Radio value="all" label={t('libraries.all')} description={t('libraries.allText')} />
        <Radio value="some" label={t('libraries.some')} />
        {isSome || libraryIds.length > 0 ? (
          <Stack gap={3} className={styles.inset}>
            {libraries.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={<bdi>{name}</bdi>}
                checked={libraryIds.includes(id)}
                onChange={() => toggle(id)}
              />
            ))}
            {hidden.length === 0 ? null : (
              <Text quiet size={13}>
                {t('libraries.hidden', { count: hidden.length })}
              </Text>
            )}
            {libraryIds.length === 0 ? <Notice kind="warning">{t('libraries.noneChosen')}</Notice> : null}
          </Stack>
        ) : null}
      </Stack>
    </Radio.Group>
  )
}
