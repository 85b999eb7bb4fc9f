/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <holdfast/core/team.h>

hf_status hf_team_disband(hf_context *cx, hf_team *team) {
    uint64_t n = HF_TEAM_NO_MORE;
    const bool has_ended = team->has_ended;
    team->has_ended = true;
    return has_ended ? HF_OK : team->share(cx, team->user, &n, sizeof n);
}
