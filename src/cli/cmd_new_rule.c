/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast new-rule: a commented rule in Lua to start from. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/cli/commands.h"

static const char lines[] =
    "-- What the rule is, and where it is from.\n"
    "--\n"
    "--     holdfast verify --topology mesh:dims=4x4 --routing lua:%s.lua\n"
    "--     holdfast tolerance --topology mesh:dims=4x4 --routing lua:%s.lua --faults 0..1\n"
    "--\n"
    "-- All functions of net are in docs/lua.md. Switches, terminals and channels are numbers from 0.\n"
    "\n"
    "name = \"%s\"\n"
    "vcs = 1 -- virtual channels\n"
    "-- tags = 4 -- packets carry a number from 0 to 3 in their header; hops may write it: {channel = c, vc = v, tag = 2}\n"
    "-- What route depends on: \"switch\" (of the destination) or \"destination\", and \"tag\", \"source\" where it needs them.\n"
    "depends = { \"switch\" }\n"
    "\n"
    "-- Does the rule take this network? true, or false and a reason. May be left out.\n"
    "function accepts(net)\n"
    "  return net.n_switch > 0, \"it needs a switch\"\n"
    "end\n"
    "\n"
    "-- Runs once per fault set; faults.channels and faults.switches are lists. Globals may be written here. May be left out.\n"
    "function plan(net, faults)\n"
    "end\n"
    "\n"
    "-- The hops that a packet may take: it is at a switch, came in on a channel and a virtual channel, and goes to a terminal.\n"
    "-- Two arguments more, tag and source, where depends names them.\n"
    "-- A list of {channel = c, vc = v}; {} says that it is stuck; nil leaves it to holdfast, which delivers.\n"
    "-- As it stands: every hop over a healthy channel that brings the packet nearer.\n"
    "function route(net, at, in_channel, in_vc, destination)\n"
    "  local goal = net:switch_of(destination)\n"
    "  if at == goal then\n"
    "    return nil\n"
    "  end\n"
    "  local hops = {}\n"
    "  for _, channel in ipairs(net:channels(at)) do\n"
    "    if not net:failed(channel) and net:distance(net:to(channel), goal) < net:distance(at, goal) then\n"
    "      hops[#hops + 1] = { channel = channel, vc = 0 }\n"
    "    end\n"
    "  end\n"
    "  return hops\n"
    "end\n";

/* Letters, digits, - and _, so that the name can stand in a spec and in Lua. */
static hf_status check_name(const cli *c, const char *name) {
    const size_t size = strlen(name);
    if (size == 0 || size > 100 || *name == '-' ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != size) {
        HF_FAIL(c->cx, HF_EINVAL, "\"%s\" cannot be the name of a rule; need 1 to 100 letters, digits, - or _", name);
    }
    return HF_OK;
}

static hf_status write_all(const cli *c, int file, const hf_text *text, const char *path) {
    for (size_t done = 0; done < text->size;) {
        const ssize_t n = write(file, text->data + done, text->size - done);
        if (n < 0 && errno != EINTR) {
            HF_FAIL(c->cx, HF_EIO, "\"%s\" cannot be written: %s", path, strerror(errno));
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return HF_OK;
}

/* Only a new file is written: what is there stays as it is. */
static hf_status write_new(const cli *c, const hf_text *text, const char *path) {
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file < 0 && errno == EEXIST) {
        HF_FAIL(c->cx, HF_EINVAL, "\"%s\" is there already; give another name", path);
    }
    if (file < 0) {
        HF_FAIL(c->cx, HF_EIO, "\"%s\" cannot be written: %s", path, strerror(errno));
    }
    hf_status status = write_all(c, file, text, path);
    if (close(file) != 0 && status == HF_OK) {
        status = hf_context_fail(c->cx, HF_EIO, __FILE__, __LINE__, "\"%s\" cannot be written: %s", path, strerror(errno));
    }
    if (status != HF_OK) {
        (void)unlink(path);
    }
    return status;
}

static hf_status write_rule(const cli *c, const char *name, hf_text *text) {
    char path[120];
    HF_TRY(check_name(c, name));
    (void)snprintf(path, sizeof path, "%s.lua", name);
    hf_text_print(text, lines, name, name, name);
    HF_TRY(hf_text_check(c->cx, text));
    HF_TRY(write_new(c, text, path));
    hf_text_free(text);
    hf_text_print(text, "%s written; see docs/lua.md\n", path);
    return cli_put(c, text);
}

static int run(cli *c) {
    hf_text text;
    hf_text_init(c->cx, &text);
    const hf_status status = write_rule(c, c->positional[0], &text);
    hf_text_free(&text);
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

static const cli_option options[] = {{0}};

const cli_command cli_new_rule = {
    .name = "new-rule",
    .summary = "write a commented routing rule in Lua to start from",
    .usage = "NAME",
    .about =
        "Writes NAME.lua into the present folder, a rule that works on any network; a file that is there stays as it is.\n\n"
        "Example: holdfast new-rule mine && holdfast tolerance --topology mesh:dims=4x4 --routing lua:mine.lua --faults 0..1",
    .positional_min = 1,
    .positional_max = 1,
    .options = options,
    .run = run,
};
