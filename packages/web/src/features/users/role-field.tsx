import { roles, type Role } from '@carrel/api'
import { Radio } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Stack } from '../../ui/layout/layout.tsx'
import styles from './users.module.css'

interface RoleFieldProps {
  readonly role: Role
  readonly onChange: (role: Role) => void
}

export const RoleField = ({ role, onChange }: RoleFieldProps): ReactNode => {
  const { t } = useTranslation('users')
  return (
    <Radio.Group
      label={t('role')}
      value={role}
      onChange={(value) => onChange(roles.find((each) => each === value) ?? role)}
    >
      <Stack gap={3} className={styles.choices}>
        {roles.map((each) => (
          <Radio key={each} value={each} label={t(`roles.${each}`)} description={t(`roleText.${each}`)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
