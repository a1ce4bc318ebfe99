// The files that are part of the program, in which nothing stands twice. The compiler of C reads them as they are;
// as literals of Swift they took it longer than any module.
#include "CFiles.h"

// It came with C23, which the toolchain's compiler reads, and mentions.
#pragma clang diagnostic ignored "-Wc23-extensions"

const char *conformance_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/conformance.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *curves_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/curves.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *detail_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/detail.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *elements_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/elements.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *exploration_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/exploration.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *failure_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/failure.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *filters_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/filters.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *findings_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/findings.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *heading_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/heading.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *labels_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/labels.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *lanes_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/lanes.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *layout_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/layout.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *message_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/message.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *page_css(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/page.css" suffix(, 0)
    };
    return (const char *)text;
}

const char *painting_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/painting.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *run_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/run.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *sequence_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/sequence.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *side_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/side.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *soak_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/soak.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *start_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/start.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *table_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/table.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *timeline_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/timeline.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *trace_js(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Pages/Assets/trace.js" suffix(, 0)
    };
    return (const char *)text;
}

const char *canary_yaml(void) {
    static const unsigned char text[] = {
#embed "../../Answers/Soaks/Plan/canary.yaml" suffix(, 0)
    };
    return (const char *)text;
}

const char *accessory_protocol_r4_yaml(void) {
    static const unsigned char text[] = {
#embed "../../Language/PromiseLibrary/Library/accessory-protocol-r4.yaml" suffix(, 0)
    };
    return (const char *)text;
}

const char *camera_yaml(void) {
    static const unsigned char text[] = {
#embed "../../Language/PromiseLibrary/Library/camera.yaml" suffix(, 0)
    };
    return (const char *)text;
}

const char *field_invariants_yaml(void) {
    static const unsigned char text[] = {
#embed "../../Language/PromiseLibrary/Library/field-invariants.yaml" suffix(, 0)
    };
    return (const char *)text;
}

const char *fluents_yaml(void) {
    static const unsigned char text[] = {
#embed "../../Language/PromiseLibrary/Library/fluents.yaml" suffix(, 0)
    };
    return (const char *)text;
}

const char *peers_yaml(void) {
    static const unsigned char text[] = {
#embed "../../Language/PromiseLibrary/Library/peers.yaml" suffix(, 0)
    };
    return (const char *)text;
}

const char *session_life_cycle_yaml(void) {
    static const unsigned char text[] = {
#embed "../../Language/PromiseLibrary/Library/session-life-cycle.yaml" suffix(, 0)
    };
    return (const char *)text;
}

const char *states_yaml(void) {
    static const unsigned char text[] = {
#embed "../../Language/PromiseLibrary/Library/states.yaml" suffix(, 0)
    };
    return (const char *)text;
}

const char *vendor_guide_yaml(void) {
    static const unsigned char text[] = {
#embed "../../Language/PromiseLibrary/Library/vendor-guide.yaml" suffix(, 0)
    };
    return (const char *)text;
}

const char *clauses_csv(void) {
    static const unsigned char text[] = {
#embed "../../Language/Promises/clauses.csv" suffix(, 0)
    };
    return (const char *)text;
}

const char *AccessoryFinder_swift_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/App/AccessoryFinder.swift.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *App_swift_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/App/App.swift.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *Inline_swift_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/App/Inline.swift.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *Package_swift_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/App/Package.swift.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *Tests_swift_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/App/Tests.swift.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *main_swift_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/App/main.swift.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *topology_yaml_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/App/topology.yaml.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *accessory_pics_yaml_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/CI/accessory.pics.yaml.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *app_pics_yaml_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/CI/app.pics.yaml.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *gate_yml_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/CI/gate.yml.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *gitlab_yml_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/CI/gitlab.yml.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *known_failures_yaml_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/CI/known-failures.yaml.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *nightly_yml_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/CI/nightly.yml.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *Makefile_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/Firmware/Makefile.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *device_swift_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/Firmware/device.swift.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *device_yaml_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/Firmware/device.yaml.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *firmware_c_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/Firmware/firmware.c.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *firmware_py_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/Firmware/firmware.py.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *firmware_yaml_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/Firmware/firmware.yaml.txt" suffix(, 0)
    };
    return (const char *)text;
}

const char *manifest_swift_txt(void) {
    static const unsigned char text[] = {
#embed "../../Tool/anechoic/Starters/Firmware/manifest.swift.txt" suffix(, 0)
    };
    return (const char *)text;
}
